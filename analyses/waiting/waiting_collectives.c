/* Waiting at collectives: a member depends on the start of those from which it needs data. */
#include "waiting_parts.h"
#include <string.h>

/* One collective. Of an intercommunicator, a member needs data from the other group only. */
typedef struct {
    const HieraWaiting *waiting;
    const HieraCollective *of;
    const guint32 *members;
    gboolean inter;
} Collective;

static guint group_of(const Collective *collective, guint32 row)
{
    const HieraTrace *trace = collective->waiting->trace;
    if (!collective->inter)
        return 0;
    return hiera_match_group(collective->waiting->match, collective->of->comm,
                             trace->processors[hiera_trace_find_processor(trace, row)].rank);
}

/* True if data goes between two members. */
static gboolean exchange(const Collective *collective, guint32 a, guint32 b)
{
    return !collective->inter || group_of(collective, a) != group_of(collective, b);
}

static void depend(const Collective *collective, guint32 row, guint32 on, HieraWaitClass class)
{
    hiera_waiting_later(&collective->waiting->needs[row], collective->waiting->trace->start_ns[on], on, class);
}

/* The class of a collective in which all members wait for all others. */
static HieraWaitClass class_of(const HieraTrace *trace, const HieraCollective *of)
{
    static const struct {
        const char *operation;
        HieraWaitClass class;
    } names[] = {{"barrier", HIERA_WAIT_BARRIER},
                 {"ibarrier", HIERA_WAIT_BARRIER},
                 {"barrier_init", HIERA_WAIT_BARRIER},
                 {"win_fence", HIERA_WAIT_FENCE}};
    const char *operation = hiera_trace_peek_site(trace, of->made_by)->operation;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(names[i].operation, operation) == 0)
            return names[i].class;
    }
    return HIERA_WAIT_N_X_N;
}

/* All members wait for the last one of all, or of the other group. */
static void add_all_to_all(const Collective *collective, HieraWaitClass class)
{
    HieraDependence last[2] = {{HIERA_NEVER, HIERA_NONE, HIERA_N_WAITS}, {HIERA_NEVER, HIERA_NONE, HIERA_N_WAITS}};
    const gint64 *start_ns = collective->waiting->trace->start_ns;
    for (guint32 i = 0; i < collective->of->n; i++) {
        guint32 row = collective->members[i];
        hiera_waiting_later(&last[group_of(collective, row)], start_ns[row], row, class);
    }
    for (guint32 i = 0; i < collective->of->n; i++) {
        guint32 row = collective->members[i];
        const HieraDependence *other = &last[collective->inter ? !group_of(collective, row) : 0];
        if (other->causer != HIERA_NONE)
            hiera_waiting_later(&collective->waiting->needs[row], other->until_ns, other->causer, class);
    }
}

static void add_rooted(const Collective *collective)
{
    guint32 root = collective->of->root;
    for (guint32 i = 0; root != HIERA_NONE && i < collective->of->n; i++) {
        guint32 row = collective->members[i];
        if (row == root || !exchange(collective, row, root))
            continue;
        if (collective->of->kind == HIERA_KIND_ONE_TO_ALL)
            depend(collective, row, root, HIERA_WAIT_LATE_BROADCAST);
        else
            depend(collective, root, row, HIERA_WAIT_EARLY_REDUCE);
    }
}

static void add_prefix(const Collective *collective)
{
    HieraDependence lower = {HIERA_NEVER, HIERA_NONE, HIERA_N_WAITS};
    const gint64 *start_ns = collective->waiting->trace->start_ns;
    for (guint32 i = 0; i < collective->of->n; i++) {
        guint32 row = collective->members[i];
        if (lower.causer != HIERA_NONE)
            hiera_waiting_later(&collective->waiting->needs[row], lower.until_ns, lower.causer, HIERA_WAIT_EARLY_SCAN);
        hiera_waiting_later(&lower, start_ns[row], row, HIERA_WAIT_EARLY_SCAN);
    }
}

static void add_neighbor(guint32 from, guint32 to, gpointer data)
{
    const Collective *collective = data;
    depend(collective, collective->members[to], collective->members[from], HIERA_WAIT_NEIGHBORS);
}

/* The time from which the members of a blocking collective could leave it: all have come, and one has left. */
static gint64 completion_of(const Collective *collective)
{
    const HieraTrace *trace = collective->waiting->trace;
    gint64 latest_ns = HIERA_NEVER, earliest_ns = G_MAXINT64;
    for (guint32 i = 0; i < collective->of->n; i++) {
        guint32 row = collective->members[i];
        if (hiera_waiting_is_start(trace, row))
            return HIERA_NEVER;
        latest_ns = MAX(latest_ns, trace->start_ns[row]);
        earliest_ns = MIN(earliest_ns, trace->finish_ns[row]);
    }
    return MAX(latest_ns, earliest_ns);
}

static void add_collective(const HieraWaiting *waiting, guint32 number, const HieraCollective *of)
{
    guint n;
    Collective collective = {waiting, of, hiera_match_peek_members(waiting->match, number, &n),
                             hiera_match_is_inter(waiting->match, of->comm)};
    HieraWaitClass class;
    waiting->complete_ns[number] = HIERA_NEVER;
    switch (of->kind) {
    case HIERA_KIND_ONE_TO_ALL:
    case HIERA_KIND_ALL_TO_ONE:
        add_rooted(&collective);
        break;
    case HIERA_KIND_PREFIX:
        add_prefix(&collective);
        break;
    case HIERA_KIND_NEIGHBOR:
        hiera_match_visit_neighbors(waiting->match, number, add_neighbor, &collective);
        break;
    case HIERA_KIND_ALL_TO_ALL:
    case HIERA_KIND_GROUP:
        class = class_of(waiting->trace, of);
        add_all_to_all(&collective, class);
        if (class != HIERA_WAIT_FENCE)
            waiting->complete_ns[number] = completion_of(&collective);
        break;
    default: /* no member depends on another */
        break;
    }
}

void hiera_waiting_collectives(const HieraWaiting *waiting)
{
    guint n;
    const HieraCollective *collectives = hiera_match_peek_collectives(waiting->match, &n);
    for (guint i = 0; i < n; i++)
        add_collective(waiting, i, &collectives[i]);
}
