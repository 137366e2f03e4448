/* See explain.h. Waits are explained from the last to the first: when a wait is explained, all later waits have already
 * handed their time back to it. */
#include "explain.h"
#include "waiting/waiting.h"
#include <stdlib.h>

enum { PASSES_MAX = 1000 }; /* limit of passes over waits that end at the same time, and so hand time to each other */

/* One of the causes of a wait: a node of the causing rank, or a wait of it. */
typedef struct {
    gint64 weight_ns;
    guint32 node; /* node of the causing rank; HIERA_NONE if the cause is a wait */
    guint32 wait;
    gint64 part_ns;
    guint64 remainder;
} Part;

typedef struct {
    const HieraDelaySource *of;
    gint64 *own_ns, *inherited_ns; /* by wait: unexplained time, of the wait itself; handed back by later waits */
    guint32 *last;                 /* by wait: index of the last wait in its loop of tests or probes */
    guint32 *left;                 /* by last wait of a loop: index of its first wait that may have unexplained time */
    guint64 *rest_ns; /* by wait: sum of the lengths of it and all later waits; only differences of two sums are used */
    gint64 *excess_ns; /* by node: causing rank's time minus waiting rank's; all 0 except while a wait is explained */
    GArray *touched, *parts; /* `touched`: guint32, nodes with an excess; `parts`: Part of the wait that is explained */
    HieraDelayList found;
} Search;

static const HieraWait *peek_wait(const Search *delays, guint32 wait)
{
    return &g_array_index(delays->of->waits, HieraWait, wait);
}

static void add_delay(Search *delays, guint32 node, guint32 processor, guint32 number, const HieraDelayed *of,
                      gint64 direct_ns, gint64 indirect_ns)
{
    if (direct_ns == 0 && indirect_ns == 0)
        return;
    HieraDelayPlace place = {node, processor, of->at, peek_wait(delays, number)->class};
    HieraDelay *delay = hiera_delay_list_find(&delays->found, &place);
    delay->direct_ns = hiera_plus(delay->direct_ns, direct_ns);
    delay->indirect_ns = hiera_plus(delay->indirect_ns, indirect_ns);
    if (of->unsure)
        delay->unsure_ns = hiera_plus(delay->unsure_ns, hiera_plus(direct_ns, indirect_ns));
    hiera_delay_list_add_share(&delays->found, delay, of->waiting, hiera_plus(direct_ns, indirect_ns));
}

/* --- the causes of a wait --- */

static void add_time(guint32 node, gint64 time_ns, gpointer data)
{
    Search *delays = data;
    if (delays->excess_ns[node] == 0)
        g_array_append_val(delays->touched, node);
    delays->excess_ns[node] += time_ns;
}

/* Subtract time of the waiting rank from a node's excess; nodes without time of the causing rank cannot have any. */
static void subtract_time(guint32 node, gint64 time_ns, gpointer data)
{
    Search *delays = data;
    if (delays->excess_ns[node] != 0)
        delays->excess_ns[node] -= time_ns;
}

static void gather_excess(Search *delays, guint32 number, const HieraDelayed *of)
{
    const HieraDelaySource *source = delays->of;
    g_array_set_size(delays->touched, 0);
    source->visit(source->user, number, of, TRUE, add_time, delays);
    /* Until the end, add 1: so the excess of a touched node is never 0, even if both ranks took equally long. */
    for (guint i = 0; i < delays->touched->len; i++)
        delays->excess_ns[g_array_index(delays->touched, guint32, i)]++;
    source->visit(source->user, number, of, FALSE, subtract_time, delays);
    for (guint i = 0; i < delays->touched->len; i++) {
        guint32 node = g_array_index(delays->touched, guint32, i);
        gint64 excess_ns = delays->excess_ns[node] - 1;
        delays->excess_ns[node] = 0;
        if (excess_ns > 0) {
            Part part = {.weight_ns = excess_ns, .node = node, .wait = HIERA_NONE};
            g_array_append_val(delays->parts, part);
        }
    }
}

/* Return the index of a processor's first wait that ends after at_ns. */
static guint32 find_wait(const Search *delays, guint32 processor, gint64 at_ns)
{
    guint32 low = delays->of->first[processor], high = delays->of->end[processor];
    while (low < high) {
        guint32 middle = low + (high - low) / 2;
        if (peek_wait(delays, middle)->end_ns <= at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Add a part for each loop of waits in an interval. It stands for all waits of the loop and names the last one, since
 * the loop will be explained as one. */
static void gather_waits(Search *delays, guint32 causing, gint64 from_ns, gint64 to_ns)
{
    guint32 behind = find_wait(delays, causing, to_ns);
    for (guint32 i = find_wait(delays, causing, from_ns), next; i < behind; i = next) {
        next = MIN(delays->last[i] + 1, behind);
        gint64 before_ns = MAX(from_ns - peek_wait(delays, i)->begin_ns, 0);
        Part part = {.weight_ns = (gint64)(delays->rest_ns[i] - delays->rest_ns[next]) - before_ns,
                     .node = HIERA_NONE,
                     .wait = next - 1};
        g_array_append_val(delays->parts, part);
    }
}

static void gather_parts(Search *delays, guint32 number, const HieraDelayed *of)
{
    g_array_set_size(delays->parts, 0);
    if (of->causing == HIERA_NONE)
        return;
    gather_excess(delays, number, of);
    gather_waits(delays, of->causing, of->causer_from_ns, of->causer_to_ns);
}

static int compare_remainders(const void *left, const void *right)
{
    const Part *const *a = left, *const *b = right;
    if ((*a)->remainder != (*b)->remainder)
        return (*a)->remainder < (*b)->remainder ? 1 : -1;
    return (*a > *b) - (*a < *b);
}

/* Divide a time among the parts by their weights, whose sum is sum_ns. Largest remainders first are rounded up. */
static void divide(const Search *delays, gint64 amount_ns, gint64 sum_ns)
{
    GArray *parts = delays->parts;
    gint64 left_ns = amount_ns;
    g_autofree Part **order = g_new(Part *, parts->len);
    for (guint i = 0; i < parts->len; i++) {
        Part *part = order[i] = &g_array_index(parts, Part, i);
        __int128 product = (__int128)amount_ns * part->weight_ns;
        part->part_ns = (gint64)(product / sum_ns);
        part->remainder = (guint64)(product % sum_ns);
        left_ns -= part->part_ns;
    }
    if (left_ns > 0)
        qsort(order, parts->len, sizeof *order, compare_remainders);
    for (gint64 i = 0; i < left_ns; i++)
        order[i]->part_ns++;
}

/* Add to the unexplained time of an earlier wait. */
static void hand_to_wait(Search *delays, guint32 number, gint64 time_ns)
{
    guint32 *left = &delays->left[delays->last[number]];
    *left = MIN(*left, number);
    delays->inherited_ns[number] += time_ns;
}

/* Hand an amount of a wait to the causes of the wait.
 * @param inherited  TRUE if the amount came from waits for this rank */
static void explain(Search *delays, guint32 number, const HieraDelayed *of, gint64 amount_ns, gboolean inherited)
{
    __int128 sum_ns = 0;
    for (guint i = 0; i < delays->parts->len; i++)
        sum_ns += g_array_index(delays->parts, Part, i).weight_ns;
    if (sum_ns == 0 || sum_ns > G_MAXINT64) {
        add_delay(delays, HIERA_NONE, HIERA_NONE, number, of, inherited ? 0 : amount_ns, inherited ? amount_ns : 0);
        return;
    }
    divide(delays, amount_ns, (gint64)sum_ns);
    for (guint i = 0; i < delays->parts->len; i++) {
        const Part *part = &g_array_index(delays->parts, Part, i);
        if (part->node == HIERA_NONE)
            hand_to_wait(delays, part->wait, part->part_ns);
        else
            add_delay(delays, part->node, of->causing, number, of, inherited ? 0 : part->part_ns,
                      inherited ? part->part_ns : 0);
    }
}

/* Explain a wait and the earlier waits of its loop as one: they waited for the same operation. */
static void explain_wait(Search *delays, guint32 number)
{
    gint64 own_ns = delays->own_ns[number], inherited_ns = delays->inherited_ns[number];
    if (own_ns == 0 && inherited_ns == 0)
        return;
    HieraDelayed of = delays->of->describe(delays->of->user, number);
    delays->own_ns[number] = delays->inherited_ns[number] = 0;
    guint32 *left = &delays->left[delays->last[number]];
    for (guint32 i = number; i-- > *left;) {
        own_ns = hiera_plus(own_ns, delays->own_ns[i]);
        inherited_ns = hiera_plus(inherited_ns, delays->inherited_ns[i]);
        delays->own_ns[i] = delays->inherited_ns[i] = 0;
    }
    *left = number + 1;
    gather_parts(delays, number, &of);
    if (own_ns > 0)
        explain(delays, number, &of, own_ns, FALSE);
    if (inherited_ns > 0)
        explain(delays, number, &of, inherited_ns, TRUE);
}

/* --- loops of tests or probes --- */

/* Whether a wait is in the same loop as the next wait: a test or probe that waited in vain for the same operation. */
static gboolean is_same_loop(const Search *delays, guint32 number, const HieraDelayed *of, const HieraDelayed *next)
{
    const HieraWait *wait = peek_wait(delays, number);
    return next->causing != HIERA_NONE && of->waiting == next->waiting && of->operation == next->operation &&
           of->at == next->at && of->unsure == next->unsure && of->causer_from_ns == next->causer_from_ns &&
           of->waiter_from_ns == next->waiter_from_ns && of->causer_to_ns == wait->end_ns &&
           of->causer_to_ns <= next->causer_to_ns && wait->class == peek_wait(delays, number + 1)->class;
}

static void find_loops(Search *delays)
{
    HieraDelayed next = {.causing = HIERA_NONE};
    for (guint32 i = delays->of->waits->len; i-- > 0;) {
        HieraDelayed of = delays->of->describe(delays->of->user, i);
        delays->last[i] = is_same_loop(delays, i, &of, &next) ? delays->last[i + 1] : i;
        delays->left[delays->last[i]] = i;
        delays->rest_ns[i] =
            delays->rest_ns[i + 1] + (guint64)(peek_wait(delays, i)->end_ns - peek_wait(delays, i)->begin_ns);
        next = of;
    }
}

/* --- explaining all waits --- */

static gint compare_ends(gconstpointer left, gconstpointer right, gpointer data)
{
    const GArray *waits = data;
    guint32 a = *(const guint32 *)left, b = *(const guint32 *)right;
    gint64 end_a = g_array_index(waits, HieraWait, a).end_ns, end_b = g_array_index(waits, HieraWait, b).end_ns;
    return end_a != end_b ? (end_a < end_b) - (end_a > end_b) : (a > b) - (a < b);
}

static gboolean any_left(const Search *delays, const guint32 *order, guint n)
{
    for (guint i = 0; i < n; i++) {
        if (delays->own_ns[order[i]] > 0 || delays->inherited_ns[order[i]] > 0)
            return TRUE;
    }
    return FALSE;
}

/* Explain waits that end at the same time, in several passes, because one of them may hand time to another. */
static void explain_together(Search *delays, const guint32 *order, guint n)
{
    for (guint pass = 0; pass < PASSES_MAX && any_left(delays, order, n); pass++) {
        for (guint i = 0; i < n; i++)
            explain_wait(delays, order[i]);
    }
    for (guint i = 0; i < n; i++) {
        if (delays->inherited_ns[order[i]] == 0)
            continue;
        HieraDelayed of = delays->of->describe(delays->of->user, order[i]);
        add_delay(delays, HIERA_NONE, HIERA_NONE, order[i], &of, 0, delays->inherited_ns[order[i]]);
    }
}

static void explain_all(Search *delays)
{
    guint n = delays->of->waits->len;
    g_autofree guint32 *order = g_new(guint32, (gsize)n + 1);
    for (guint i = 0; i < n; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint)n, sizeof *order, compare_ends, (gpointer)delays->of->waits);
    for (guint i = 0, next; i < n; i = next) {
        next = i + 1;
        while (next < n && peek_wait(delays, order[next])->end_ns == peek_wait(delays, order[i])->end_ns)
            next++;
        explain_together(delays, order + i, next - i);
    }
}

GArray *hiera_delays_explain(const HieraDelaySource *source)
{
    gsize n = (gsize)source->waits->len + 1;
    g_autofree gint64 *inherited = g_new0(gint64, n), *excess = g_new0(gint64, (gsize)source->n_nodes + 1);
    g_autofree guint64 *rest = g_new0(guint64, n);
    g_autofree guint32 *last = g_new(guint32, n), *left = g_new(guint32, n);
    g_autoptr(GArray) touched = g_array_new(FALSE, FALSE, sizeof(guint32)),
                      parts = g_array_new(FALSE, FALSE, sizeof(Part));
    Search delays = {source, source->own_ns, inherited, last, left, rest, excess, touched, parts, {0}};
    hiera_delay_list_init(&delays.found);
    find_loops(&delays);
    explain_all(&delays);
    return hiera_delay_list_take(&delays.found);
}
