/* Delay costs; see delays.h. Waits are explained from the last to the first, so that a wait has got all that is handed
 * back to it when its turn comes. */
#include "delays.h"
#include "synchronization.h"
#include "waiting/clock_doubts.h"
#include <stdlib.h>

enum { PASSES_MAX = 1000 }; /* for waits that end at the same time and hand to each other */

/* A part of a wait: that of a node of the causing rank, or that of one of its waits. */
typedef struct {
    gint64 weight_ns;
    guint32 node; /* HIERA_NONE: it is a wait */
    guint32 wait;
    gint64 part_ns;
    guint64 remainder;
} Part;

typedef struct {
    const HieraTrace *trace;
    const GArray *waits;
    const HieraScope *scope;
    HieraClockDoubts doubts;
    HieraCallPaths *paths;
    HieraRankTimes *times;          /* by processor */
    guint32 *first_wait, *end_wait; /* by processor: the waits of its main thread */
    HieraSynchronization *since;    /* by wait */
    gint64 *own_ns, *inherited_ns;  /* by wait: what is not explained yet */
    gint64 *excess_ns;              /* by node; 0 but while a wait is explained */
    GArray *touched, *parts;        /* guint32: nodes with an excess; Part */
    HieraDelayList found;
} Search;

static const HieraWait *peek_wait(const Search *delays, guint32 wait)
{
    return &g_array_index(delays->waits, HieraWait, wait);
}

static void add_delay(Search *delays, guint32 node, guint32 processor, const HieraWait *wait, gint64 direct_ns,
                      gint64 indirect_ns)
{
    if (direct_ns == 0 && indirect_ns == 0)
        return;
    HieraDelayPlace place = {node, processor, delays->paths->node[wait->row], wait->class};
    HieraDelay *delay = hiera_delay_list_find(&delays->found, &place);
    delay->direct_ns = hiera_plus(delay->direct_ns, direct_ns);
    delay->indirect_ns = hiera_plus(delay->indirect_ns, indirect_ns);
    if (hiera_clock_doubts_touch(&delays->doubts, wait))
        delay->unsure_ns = hiera_plus(delay->unsure_ns, hiera_plus(direct_ns, indirect_ns));
    hiera_delay_list_add_share(&delays->found, delay, hiera_trace_find_processor(delays->trace, wait->row),
                               hiera_plus(direct_ns, indirect_ns));
}

/* --- the parts of a wait --- */

static void add_time(guint32 node, gint64 time_ns, gpointer data)
{
    Search *delays = data;
    if (delays->excess_ns[node] == 0)
        g_array_append_val(delays->touched, node);
    delays->excess_ns[node] += time_ns;
}

/* Nodes in which the causing rank was not have no excess. */
static void subtract_time(guint32 node, gint64 time_ns, gpointer data)
{
    Search *delays = data;
    if (delays->excess_ns[node] != 0)
        delays->excess_ns[node] -= time_ns;
}

static void gather_excess(Search *delays, guint32 causing, guint32 waiting, gint64 from_ns, gint64 to_ns,
                          gint64 waiter_from_ns, gint64 waiter_to_ns)
{
    g_array_set_size(delays->touched, 0);
    hiera_rank_times_visit(&delays->times[causing], from_ns, to_ns, add_time, delays);
    /* A node whose excess becomes 0 by chance would be forgotten: keep it apart from untouched ones. */
    for (guint i = 0; i < delays->touched->len; i++)
        delays->excess_ns[g_array_index(delays->touched, guint32, i)]++;
    hiera_rank_times_visit(&delays->times[waiting], waiter_from_ns, waiter_to_ns, subtract_time, delays);
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

/* Return the index of the first wait of a processor that ends after a time. */
static guint32 find_wait(const Search *delays, guint32 processor, gint64 at_ns)
{
    guint32 low = delays->first_wait[processor], high = delays->end_wait[processor];
    while (low < high) {
        guint32 middle = low + (high - low) / 2;
        if (peek_wait(delays, middle)->end_ns <= at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void gather_waits(Search *delays, guint32 causing, gint64 from_ns, gint64 to_ns)
{
    for (guint32 i = find_wait(delays, causing, from_ns); i < delays->end_wait[causing]; i++) {
        const HieraWait *wait = peek_wait(delays, i);
        if (wait->end_ns > to_ns)
            break;
        Part part = {.weight_ns = wait->end_ns - MAX(wait->begin_ns, from_ns), .node = HIERA_NONE, .wait = i};
        if (part.weight_ns > 0)
            g_array_append_val(delays->parts, part);
    }
}

/* Find the parts of a wait. @return the processor of the causer */
static guint32 gather_parts(Search *delays, guint32 number)
{
    const HieraWait *wait = peek_wait(delays, number);
    const HieraTrace *trace = delays->trace;
    const HieraSynchronization *since = &delays->since[number];
    g_array_set_size(delays->parts, 0);
    if (wait->causer == HIERA_NONE || trace->thread[wait->causer] != 0 || trace->thread[wait->row] != 0)
        return HIERA_NONE;
    guint32 causing = hiera_trace_find_processor(trace, wait->causer),
            waiting = hiera_trace_find_processor(trace, wait->row);
    gint64 to_ns = MIN(trace->start_ns[wait->causer], wait->end_ns);
    gather_excess(delays, causing, waiting, since->causer_ns, to_ns, since->waiter_ns, wait->begin_ns);
    gather_waits(delays, causing, since->causer_ns, to_ns);
    return causing;
}

static int compare_remainders(const void *left, const void *right)
{
    const Part *const *a = left, *const *b = right;
    if ((*a)->remainder != (*b)->remainder)
        return (*a)->remainder < (*b)->remainder ? 1 : -1;
    return (*a > *b) - (*a < *b);
}

/* Divide an amount by the weights of the parts, which have a sum: the largest remainders are rounded up. */
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

/* Hand an amount to the causes of a wait.
 * @param inherited  the amount came from waits for this rank */
static void explain(Search *delays, guint32 number, guint32 causing, gint64 amount_ns, gboolean inherited)
{
    const HieraWait *wait = peek_wait(delays, number);
    __int128 sum_ns = 0;
    for (guint i = 0; i < delays->parts->len; i++)
        sum_ns += g_array_index(delays->parts, Part, i).weight_ns;
    if (sum_ns == 0 || sum_ns > G_MAXINT64) {
        add_delay(delays, HIERA_NONE, HIERA_NONE, wait, inherited ? 0 : amount_ns, inherited ? amount_ns : 0);
        return;
    }
    divide(delays, amount_ns, (gint64)sum_ns);
    for (guint i = 0; i < delays->parts->len; i++) {
        const Part *part = &g_array_index(delays->parts, Part, i);
        if (part->node == HIERA_NONE)
            delays->inherited_ns[part->wait] += part->part_ns;
        else
            add_delay(delays, part->node, causing, wait, inherited ? 0 : part->part_ns, inherited ? part->part_ns : 0);
    }
}

static void explain_wait(Search *delays, guint32 number)
{
    gint64 own_ns = delays->own_ns[number], inherited_ns = delays->inherited_ns[number];
    delays->own_ns[number] = delays->inherited_ns[number] = 0;
    if (own_ns == 0 && inherited_ns == 0)
        return;
    guint32 causing = gather_parts(delays, number);
    if (own_ns > 0)
        explain(delays, number, causing, own_ns, FALSE);
    if (inherited_ns > 0)
        explain(delays, number, causing, inherited_ns, TRUE);
}

/* --- all waits --- */

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

/* Explain waits that end at the same time. One may hand to another, so they take turns. */
static void explain_together(Search *delays, const guint32 *order, guint n)
{
    for (guint pass = 0; pass < PASSES_MAX && any_left(delays, order, n); pass++) {
        for (guint i = 0; i < n; i++)
            explain_wait(delays, order[i]);
    }
    for (guint i = 0; i < n; i++)
        add_delay(delays, HIERA_NONE, HIERA_NONE, peek_wait(delays, order[i]), 0, delays->inherited_ns[order[i]]);
}

static void explain_all(Search *delays)
{
    guint n = delays->waits->len;
    g_autofree guint32 *order = g_new(guint32, (gsize)n + 1);
    for (guint i = 0; i < n; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint)n, sizeof *order, compare_ends, (gpointer)delays->waits);
    for (guint i = 0, next; i < n; i = next) {
        next = i + 1;
        while (next < n && peek_wait(delays, order[next])->end_ns == peek_wait(delays, order[i])->end_ns)
            next++;
        explain_together(delays, order + i, next - i);
    }
}

/* What is asked for: the part of each wait in the scope. */
static void set_amounts(Search *delays)
{
    for (guint i = 0; i < delays->waits->len; i++) {
        const HieraWait *wait = peek_wait(delays, i);
        guint32 rank = delays->trace->processors[hiera_trace_find_processor(delays->trace, wait->row)].rank;
        if (hiera_scope_accepts_rank(delays->scope, rank) && delays->paths->node[wait->row] != 0)
            delays->own_ns[i] = hiera_scope_clip(delays->scope, wait->begin_ns, wait->end_ns);
    }
}

static void init_ranks(Search *delays)
{
    guint32 n = delays->trace->n_processors;
    guint at = 0;
    delays->times = g_new0(HieraRankTimes, (gsize)n + 1);
    delays->first_wait = g_new(guint32, (gsize)n + 1);
    delays->end_wait = g_new(guint32, (gsize)n + 1);
    for (guint32 i = 0; i < n; i++) {
        delays->first_wait[i] = at;
        hiera_rank_times_init(&delays->times[i], delays->paths, i, delays->waits, &at);
        delays->end_wait[i] = at; /* the operations of further threads come last */
        while (delays->end_wait[i] > delays->first_wait[i] &&
               delays->trace->thread[peek_wait(delays, delays->end_wait[i] - 1)->row] != 0)
            delays->end_wait[i]--;
    }
}

HieraDelays *hiera_delays_find(const HieraMatch *match, HieraCallPaths *paths, const GArray *waits,
                               const HieraScope *scope)
{
    gsize n = (gsize)waits->len + 1;
    Search delays = {.trace = hiera_match_peek_trace(match), .waits = waits, .scope = scope, .paths = paths};
    delays.doubts = hiera_clock_doubts_of(delays.trace);
    hiera_delay_list_init(&delays.found);
    delays.since = hiera_synchronizations_find(match, waits);
    init_ranks(&delays);
    g_autofree gint64 *own = g_new0(gint64, n), *inherited = g_new0(gint64, n),
                      *excess = g_new0(gint64, paths->tree->nodes->len);
    g_autoptr(GArray) touched = g_array_new(FALSE, FALSE, sizeof(guint32)),
                      parts = g_array_new(FALSE, FALSE, sizeof(Part));
    delays.own_ns = own;
    delays.inherited_ns = inherited;
    delays.excess_ns = excess;
    delays.touched = touched;
    delays.parts = parts;
    set_amounts(&delays);
    explain_all(&delays);
    g_free(delays.first_wait);
    g_free(delays.end_wait);
    g_free(delays.since);
    HieraDelays *found = g_new(HieraDelays, 1);
    *found = (HieraDelays){hiera_delay_list_take(&delays.found), delays.times, delays.trace->n_processors};
    return found;
}

void hiera_delays_free(HieraDelays *delays)
{
    if (!delays)
        return;
    for (guint32 i = 0; i < delays->n_processors; i++)
        hiera_rank_times_clear(&delays->times[i]);
    g_free(delays->times);
    g_array_unref(delays->list);
    g_free(delays);
}
