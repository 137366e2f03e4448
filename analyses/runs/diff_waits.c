/* The waiting of several runs; see diff_waits.h. The nodes of a run's causes are mapped to places of the alignment in
 * two steps: by their sites to nodes of the aligned tree, then to the places of these nodes. */
#include "diff_waits.h"
#include "run_waits.h"
#include <string.h>

/* A HieraRunCause of one run, with places of the alignment instead of nodes. */
typedef struct {
    guint side, run;
    guint32 at, cause;
    gboolean before;
    gint64 direct_ns, all_ns; /* means over ranks and runs of the side; all_ns: direct and indirect time */
    gint64 weight_ns; /* direct and indirect time in this run alone, by which the run is chosen whose ranks are named */
    const char *ranks;
} Cause;

/* Return the place of each node of `from`; a node that `to` does not have gets the place of its caller. To be freed
 * with g_free. */
static guint32 *find_places(const HieraTreeAlignment *alignment, guint run, const HieraCallTree *from,
                            const HieraCallTree *to)
{
    guint32 *nodes = g_new0(guint32, from->nodes->len);
    for (guint32 i = 1; i < from->nodes->len; i++) {
        const HieraCallNode *node = hiera_call_tree_peek(from, i);
        guint32 site = hiera_call_is_before(node->site) ? node->site & ~HIERA_CALL_BEFORE : node->site;
        guint32 caller = nodes[node->parent], found = hiera_call_tree_lookup(to, caller, site);
        nodes[i] = found ? found : caller;
    }
    for (guint32 i = 0; i < from->nodes->len; i++)
        nodes[i] = alignment->rows[run][nodes[i]];
    return nodes;
}

static gint64 divide(gint64 sum, gint64 n)
{
    return sum == HIERA_TOO_LARGE ? sum : sum / n;
}

static void add_classes(HieraDiffWaits *waits, guint side, gint64 n, const HieraRunWaits *found, const guint32 *places)
{
    for (guint32 i = 0; i < found->n_nodes; i++) {
        for (guint class = 0; class < HIERA_N_WAITS; class ++) {
            gint64 *sum = &waits->by_class[places[i]][class][side];
            *sum = hiera_plus(*sum, divide(found->by_class[i][class], n));
        }
    }
}

static void add_run(HieraDiffWaits *waits, const HieraRun *runs, guint run, const HieraCallTree *tree)
{
    const HieraRunWaits *found = runs[run].found;
    g_autofree guint32 *places = find_places(waits->alignment, run, found->tree, tree);
    guint side = run == 0 ? HIERA_SIDE_A : HIERA_SIDE_B;
    gint64 n = (gint64)MAX(tree->merged, 1) * (run == 0 ? 1 : waits->alignment->n_runs - 1);
    add_classes(waits, side, n, found, places);
    for (guint i = 0; i < found->causes->len; i++) {
        const HieraRunCause *from = &g_array_index(found->causes, HieraRunCause, i);
        gint64 all_ns = hiera_plus(from->direct_ns, from->indirect_ns);
        Cause cause = {side,
                       run,
                       places[from->at],
                       from->cause == HIERA_NONE ? HIERA_NONE : places[from->cause],
                       from->cause != HIERA_NONE &&
                           hiera_call_is_before(hiera_call_tree_peek(found->tree, from->cause)->site),
                       divide(from->direct_ns, n),
                       divide(all_ns, n),
                       all_ns,
                       from->ranks};
        g_array_append_val(waits->list, cause);
    }
}

static void find_parents(HieraDiffWaits *waits, const HieraCallTree *const *trees, guint32 n)
{
    const HieraTreeAlignment *alignment = waits->alignment;
    waits->parent[0] = HIERA_NONE;
    for (guint32 place = 1; place < n; place++) {
        guint run = 0;
        while (hiera_tree_alignment_node(alignment, place, run) == HIERA_NONE)
            run++;
        guint32 node = hiera_tree_alignment_node(alignment, place, run);
        waits->parent[place] = alignment->rows[run][hiera_call_tree_peek(trees[run], node)->parent];
    }
}

/* Add the waiting of each place to its parent, so that a place has all waiting inside it. */
static void sum_up(HieraDiffWaits *waits, guint32 n)
{
    for (guint32 place = n; place-- > 1;) {
        for (guint i = 0; i < HIERA_N_WAITS * HIERA_N_SIDES; i++) {
            gint64 *sum = &waits->by_class[waits->parent[place]][i / HIERA_N_SIDES][i % HIERA_N_SIDES];
            *sum = hiera_plus(*sum, waits->by_class[place][i / HIERA_N_SIDES][i % HIERA_N_SIDES]);
        }
    }
}

HieraDiffWaits *hiera_diff_waits_new(const HieraTreeAlignment *alignment, const HieraRun *runs,
                                     const HieraCallTree *const *trees)
{
    guint32 n = hiera_tree_alignment_count(alignment);
    for (guint run = 0; run < alignment->n_runs; run++) {
        const HieraRunWaits *found = runs[run].found;
        if (!found || found->measured != ((const HieraRunWaits *)runs[0].found)->measured)
            return NULL;
    }
    HieraDiffWaits *waits = g_new0(HieraDiffWaits, 1);
    waits->alignment = alignment;
    waits->measured = ((const HieraRunWaits *)runs[0].found)->measured;
    waits->parent = g_new(guint32, n);
    waits->by_class = g_malloc0_n(n, sizeof *waits->by_class);
    waits->list = g_array_new(FALSE, FALSE, sizeof(Cause));
    find_parents(waits, trees, n);
    for (guint run = 0; run < alignment->n_runs; run++)
        add_run(waits, runs, run, trees[run]);
    sum_up(waits, n);
    return waits;
}

void hiera_diff_waits_free(HieraDiffWaits *waits)
{
    if (!waits)
        return;
    g_free(waits->parent);
    g_free(waits->by_class);
    g_array_unref(waits->list);
    g_free(waits);
}

HieraWaitClass hiera_diff_waits_class(const HieraDiffWaits *waits, guint32 place, gint sign)
{
    guint most = 0;
    gint64 most_ns = G_MININT64;
    for (guint i = 0; i < HIERA_N_WAITS; i++) {
        const gint64 *times = waits->by_class[place][i];
        gint64 change_ns = sign * hiera_minus(times[HIERA_SIDE_B], times[HIERA_SIDE_A]);
        if (change_ns > most_ns) {
            most = i;
            most_ns = change_ns;
        }
    }
    return (HieraWaitClass)most;
}

static gboolean lies_in(const HieraDiffWaits *waits, guint32 place, guint32 around)
{
    while (place > around) /* the index of a place is greater than that of its parent, so the climb can end here */
        place = waits->parent[place];
    return place == around;
}

/* Sum of equal causes over all runs; most_ns: greatest weight_ns so far, whose run names the ranks. */
typedef struct {
    HieraDiffCause cause;
    gint64 direct_ns[HIERA_N_SIDES];
    gint64 most_ns[HIERA_N_SIDES];
} Sum;

static void add_cause(GArray *sums, GHashTable *numbers, const Cause *from)
{
    gpointer key = GSIZE_TO_POINTER((gsize)from->cause * 2 + from->before + 1);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, key));
    if (number == 0) {
        Sum none = {.cause = {.run = from->run, .place = from->cause, .before = from->before}};
        g_array_append_val(sums, none);
        g_hash_table_insert(numbers, key, GUINT_TO_POINTER(number = sums->len));
    }
    Sum *sum = &g_array_index(sums, Sum, number - 1);
    gint64 *all_ns = &sum->cause.time_ns[from->side], *direct_ns = &sum->direct_ns[from->side];
    *all_ns = hiera_plus(*all_ns, from->all_ns);
    *direct_ns = hiera_plus(*direct_ns, from->direct_ns);
    if (from->weight_ns > sum->most_ns[from->side]) {
        sum->most_ns[from->side] = from->weight_ns;
        sum->cause.ranks[from->side] = from->ranks;
    }
}

static gint64 waiting_of(const HieraDiffWaits *waits, guint32 place, guint side)
{
    gint64 sum = 0;
    for (guint class = 0; class < HIERA_N_WAITS; class ++)
        sum = hiera_plus(sum, waits->by_class[place][class][side]);
    return sum;
}

/* Whether the causes, with indirect ones, add up to no more than the waiting at this place: then none of them belongs
 * to waiting elsewhere. */
static gboolean is_closed(const HieraDiffWaits *waits, guint32 place, const GArray *sums)
{
    for (guint side = 0; side < HIERA_N_SIDES; side++) {
        gint64 sum = 0, waiting_ns = waiting_of(waits, place, side);
        for (guint i = 0; i < sums->len; i++)
            sum = hiera_plus(sum, g_array_index(sums, Sum, i).cause.time_ns[side]); /* includes unexplained time */
        if (sum > hiera_plus(waiting_ns, waiting_ns / 10))
            return FALSE;
    }
    return TRUE;
}

/* Whether direct causes explain less than half of the waiting in `b`; the rest was handed to waits elsewhere. */
static gboolean is_passed_on(const HieraDiffWaits *waits, guint32 place, const GArray *sums)
{
    gint64 sum = 0, waiting_ns = waiting_of(waits, place, HIERA_SIDE_B);
    for (guint i = 0; i < sums->len; i++)
        sum = hiera_plus(sum, g_array_index(sums, Sum, i).direct_ns[HIERA_SIDE_B]);
    return sum < waiting_ns / 2;
}

/* Set `cause` to the one whose time has increased most (sign 1) or decreased most (-1). @return the change */
static gint64 choose(const GArray *sums, gint sign, HieraDiffCause *cause)
{
    gint64 most_ns = 0;
    for (guint i = 0; i < sums->len; i++) {
        const HieraDiffCause *found = &g_array_index(sums, Sum, i).cause;
        gint64 change_ns = sign * hiera_minus(found->time_ns[HIERA_SIDE_B], found->time_ns[HIERA_SIDE_A]);
        if (found->place != HIERA_NONE && change_ns > most_ns) {
            most_ns = change_ns;
            *cause = *found;
        }
    }
    return most_ns;
}

gboolean hiera_diff_waits_cause(const HieraDiffWaits *waits, guint32 place, gint sign, HieraDiffCause *cause)
{
    g_autoptr(GArray) sums = g_array_new(FALSE, FALSE, sizeof(Sum));
    g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
    gint64 change_ns = hiera_minus(waiting_of(waits, place, HIERA_SIDE_B), waiting_of(waits, place, HIERA_SIDE_A));
    if (waits->measured)
        return FALSE;
    for (guint i = 0; i < waits->list->len; i++) {
        const Cause *found = &g_array_index(waits->list, Cause, i);
        if (lies_in(waits, found->at, place))
            add_cause(sums, numbers, found);
    }
    if (!is_closed(waits, place, sums)) {
        for (guint i = 0; i < sums->len; i++) {
            Sum *sum = &g_array_index(sums, Sum, i);
            memcpy(sum->cause.time_ns, sum->direct_ns, sizeof sum->direct_ns);
        }
    }
    gint64 most_ns = choose(sums, sign, cause);
    if (most_ns > 0 && most_ns >= sign * change_ns / 2)
        return TRUE;
    *cause = (HieraDiffCause){.place = HIERA_NONE};
    return is_passed_on(waits, place, sums);
}
