/* What members of a collective need of each other; see collective_needs.h. In an intercommunicator, a member needs data
 * only from the other group. */
#include "collective_needs.h"

typedef struct {
    const HieraMatch *match;
    const HieraCollectiveNeeds *needs;
    const HieraCollective *of;
    const guint32 *members;
    gboolean inter;
} Collective;

static guint group_of(const Collective *collective, guint32 row)
{
    const HieraTrace *trace = hiera_match_peek_trace(collective->match);
    if (!collective->inter)
        return 0;
    return hiera_match_group(collective->match, collective->of->comm,
                             trace->processors[hiera_trace_find_processor(trace, row)].rank);
}

static void all_need_all(const Collective *collective)
{
    const HieraCollectiveNeeds *needs = collective->needs;
    guint32 joins[2] = {needs->new_join(HIERA_NONE, needs->user),
                        collective->inter ? needs->new_join(HIERA_NONE, needs->user) : HIERA_NONE};
    for (guint32 i = 0; i < collective->of->n; i++) {
        guint32 row = collective->members[i];
        needs->add_to_join(joins[group_of(collective, row)], row, needs->user);
    }
    for (guint32 i = 0; i < collective->of->n; i++) {
        guint32 row = collective->members[i];
        needs->need_join(row, joins[collective->inter ? !group_of(collective, row) : 0], needs->user);
    }
}

static void all_need_root(const Collective *collective)
{
    const HieraCollectiveNeeds *needs = collective->needs;
    guint32 root = collective->of->root;
    for (guint32 i = 0; root != HIERA_NONE && i < collective->of->n; i++) {
        guint32 row = collective->members[i];
        if (row == root || (collective->inter && group_of(collective, row) == group_of(collective, root)))
            continue;
        if (collective->of->kind == HIERA_KIND_ONE_TO_ALL)
            needs->need_one(row, root, needs->user);
        else
            needs->need_one(root, row, needs->user);
    }
}

/* Let each member need the members of lower rank, as in MPI_Scan. */
static void all_need_lower(const Collective *collective)
{
    const HieraCollectiveNeeds *needs = collective->needs;
    guint32 lower = HIERA_NONE;
    for (guint32 i = 0; i < collective->of->n; i++) {
        guint32 row = collective->members[i];
        if (lower != HIERA_NONE)
            needs->need_join(row, lower, needs->user);
        lower = needs->new_join(lower, needs->user);
        needs->add_to_join(lower, row, needs->user);
    }
}

static void needs_neighbor(guint32 from, guint32 to, gpointer data)
{
    const Collective *collective = data;
    collective->needs->need_one(collective->members[to], collective->members[from], collective->needs->user);
}

void hiera_collective_needs_visit(const HieraMatch *match, guint32 number, const HieraCollectiveNeeds *needs)
{
    guint n;
    const HieraCollective *of = &hiera_match_peek_collectives(match, &n)[number];
    Collective collective = {match, needs, of, hiera_match_peek_members(match, number, &n),
                             hiera_match_is_inter(match, of->comm)};
    switch (of->kind) {
    case HIERA_KIND_ONE_TO_ALL:
    case HIERA_KIND_ALL_TO_ONE:
        all_need_root(&collective);
        break;
    case HIERA_KIND_PREFIX:
        all_need_lower(&collective);
        break;
    case HIERA_KIND_NEIGHBOR:
        hiera_match_visit_neighbors(match, number, needs_neighbor, &collective);
        break;
    case HIERA_KIND_ALL_TO_ALL:
    case HIERA_KIND_GROUP:
        all_need_all(&collective);
        break;
    default: /* other kinds: no member needs another */
        break;
    }
}
