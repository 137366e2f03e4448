/* Where the calls of two runs diverge, rank by rank: each rank that both runs have is compared with itself. See
 * diff_parts.h. */
#include "calls/call_paths.h"
#include "calls/call_times.h"
#include "diff_parts.h"

enum { RANGES_NAMED = 6, N_SIDES = 2 };

/* Where the calls of a rank in the first run and in the second run begin to differ. */
typedef struct {
    guint32 rank;
    guint64 equal;           /* number of calls that are equal in both runs before they differ */
    guint32 nodes[N_SIDES];  /* by run: node of the first different call; 0: there is no further call */
    guint32 places[N_SIDES]; /* by run: place in the alignment of the node in `nodes`; 0: there is no further call */
} Parting;

/* Where calls differ, over all ranks. */
typedef struct {
    guint compared, parted;
    Parting first;       /* the Parting with fewest equal calls; of equal ones that of the lowest rank */
    gboolean alike;      /* TRUE if the calls of all ranks differ at the same place */
    GString *ranks;      /* text: the ranks whose calls differ, like "0-3 7" */
    guint ranges;        /* number of ranges in `ranks`, with the last one */
    guint32 begin, last; /* last range of ranks, not in `ranks` yet */
} Partings;

static const GArray *calls_of(const HieraDiff *diff, guint run)
{
    return ((const HieraCallTimes *)diff->runs[run].all)->calls;
}

/* Set `nodes` and `places` to the next call of both runs. @return FALSE: one was not kept (limit of memory) */
static gboolean take_calls(const HieraDiff *diff, const HieraRankCalls *const *sides, HieraCallWalk *walks,
                           Parting *parting)
{
    gboolean known = TRUE;
    for (guint side = 0; side < N_SIDES; side++) {
        guint32 call = hiera_call_walk_next(&walks[side]);
        known = known && (call != 0 || !hiera_call_sequence_is_cut(sides[side]->calls));
        parting->nodes[side] = sides[side]->nodes[call];
        parting->places[side] = diff->alignment.rows[side][parting->nodes[side]];
    }
    return known;
}

/* Find where the calls of a rank differ in the two runs. @return FALSE if they are equal, as far as they were kept */
static gboolean find_parting(const HieraDiff *diff, const HieraRankCalls *const *sides, Parting *parting)
{
    HieraCallWalk walks[N_SIDES];
    *parting = (Parting){.rank = sides[0]->rank};
    for (guint side = 0; side < N_SIDES; side++)
        hiera_call_walk_init(&walks[side], sides[side]->calls);
    gboolean known = take_calls(diff, sides, walks, parting);
    for (; known && parting->places[0] == parting->places[1] && parting->places[0] != 0; parting->equal++)
        known = take_calls(diff, sides, walks, parting);
    for (guint side = 0; side < N_SIDES; side++)
        hiera_call_walk_clear(&walks[side]);
    return known && parting->places[0] != parting->places[1];
}

/* Append the last range to `ranks`; instead of a seventh range "…", of later ones nothing. */
static void name_range(Partings *partings)
{
    if (partings->ranges > 0 && partings->ranges <= RANGES_NAMED)
        hiera_ranks_append_range(partings->ranks, partings->begin, partings->last);
    else if (partings->ranges == RANGES_NAMED + 1)
        g_string_append(partings->ranks, " …");
}

static void add_parting(Partings *partings, const Parting *parting)
{
    const Parting *first = &partings->first;
    if (partings->parted == 0 || parting->rank != partings->last + 1) {
        name_range(partings);
        partings->begin = parting->rank;
        partings->ranges++;
    }
    partings->last = parting->rank;
    partings->alike =
        partings->parted == 0 || (partings->alike && parting->equal == first->equal &&
                                  parting->places[0] == first->places[0] && parting->places[1] == first->places[1]);
    if (partings->parted == 0 || parting->equal < first->equal)
        partings->first = *parting;
    partings->parted++;
}

/* Compare the calls of each rank that both runs have. The lists of both runs are sorted by rank. */
static void find_partings(const HieraDiff *diff, Partings *partings)
{
    const GArray *a = calls_of(diff, 0), *b = calls_of(diff, 1);
    for (guint i = 0, j = 0; i < a->len && j < b->len;) {
        const HieraRankCalls *sides[N_SIDES] = {&g_array_index(a, HieraRankCalls, i),
                                                &g_array_index(b, HieraRankCalls, j)};
        Parting parting;
        if (sides[0]->rank == sides[1]->rank) {
            partings->compared++;
            if (find_parting(diff, sides, &parting))
                add_parting(partings, &parting);
        }
        i += sides[0]->rank <= sides[1]->rank;
        j += sides[1]->rank <= sides[0]->rank;
    }
    name_range(partings);
}

/* Append the ranks whose calls diverge, like "the calls of 2 of 4 ranks (1-2) part, first those of rank 2"; without the
 * latter if all diverge at the same place. */
static void append_ranks(const Partings *partings, GString *text)
{
    g_string_append(text, "the calls of ");
    if (partings->compared == 1)
        g_string_append_printf(text, "rank %u", partings->last);
    else if (partings->parted == partings->compared && partings->parted == 2)
        g_string_append(text, "both ranks");
    else if (partings->parted == partings->compared)
        g_string_append_printf(text, "all %u ranks", partings->parted);
    else
        g_string_append_printf(text, "%u of %u ranks (%s%s)", partings->parted, partings->compared,
                               partings->parted == 1 ? "rank " : "", partings->ranks->str);
    g_string_append(text, " part");
    if (!partings->alike)
        g_string_append_printf(text, ", first those of rank %u", partings->first.rank);
}

/* Append a call and its run to a text, like "MPI_Send ring.c:20 in run1". */
static void append_call(const HieraDiff *diff, guint run, guint32 node, GString *text)
{
    const HieraCallTimes *times = diff->runs[run].all;
    if (node == 0)
        g_string_append(text, "no further call");
    else
        hiera_call_step_append(text, diff->runs[run].catalog, hiera_call_tree_peek(times->tree, node)->site);
    g_string_append_printf(text, " in %s", diff->runs[run].name);
}

static char *describe(const HieraDiff *diff, const Partings *partings)
{
    const Parting *first = &partings->first;
    guint n_a = calls_of(diff, 0)->len, n_b = calls_of(diff, 1)->len;
    GString *text = g_string_new(NULL);
    append_ranks(partings, text);
    g_string_append_printf(text, " after %" G_GUINT64_FORMAT " equal one%s: ", first->equal,
                           first->equal == 1 ? "" : "s");
    append_call(diff, 0, first->nodes[0], text);
    g_string_append(text, ", ");
    append_call(diff, 1, first->nodes[1], text);
    if (partings->compared < MAX(n_a, n_b))
        g_string_append_printf(text, "; of %u and %u ranks, those were compared that both runs have", n_a, n_b);
    return g_string_free(text, FALSE);
}

char *hiera_diff_parting(const HieraDiff *diff)
{
    g_autoptr(GString) ranks = g_string_new(NULL);
    Partings partings = {.ranks = ranks};
    find_partings(diff, &partings);
    return partings.parted > 0 ? describe(diff, &partings) : NULL;
}
