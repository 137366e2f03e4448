/* Messages of threads that communicate on the same channel at the same time.
 *
 * MPI orders the calls of one thread, but not the calls of different threads. Two such calls have a certain order
 * only if one returned before the other began; calls that overlap may have either order. Of all possible orders this
 * file chooses one in which no message is received before it was sent, if there is one: sends are sorted by their
 * start, receives by the time at which they were complete, but a receive never comes before another one that returned
 * before it began. Where calls overlap and the sizes on both sides agree, sends and receives of equal size are
 * paired. */
#include "endpoint_list.h"
#include <string.h>

/* A receive and its deadline: the time at which it, or a receive that must come after it, was complete. Its message
 * must have been sent by then. */
typedef struct {
    gint64 deadline_ns;
    guint place; /* index of the receive before sorting */
} Urgency;

/* Return the start of the call that sent or posted an endpoint. */
static gint64 begin_of(const HieraTrace *trace, const HieraEndpoint *endpoint)
{
    return trace->start_ns[endpoint->posted];
}

/* Return the end of the call that sent or posted an endpoint. */
static gint64 over_of(const HieraTrace *trace, const HieraEndpoint *endpoint)
{
    return trace->finish_ns[endpoint->posted];
}

/* Return the time at which a receive was complete. */
static gint64 end_of(const HieraTrace *trace, const HieraEndpoint *endpoint)
{
    return hiera_match_end_ns(trace, endpoint->ended_by);
}

static gboolean one_thread(const HieraTrace *trace, const HieraEndpoint *endpoints, guint n)
{
    for (guint i = 1; i < n; i++) {
        if (trace->thread[endpoints[i].posted] != trace->thread[endpoints[0].posted])
            return FALSE;
    }
    return TRUE;
}

/* Find the cuts in the sends (or receives) of a channel: a cut is behind a call if all calls up to it certainly come
 * before all later ones. @param cuts  receives by index whether a cut follows the call @return  true if a cut follows
 * each call, so that the order is certain */
static gboolean find_cuts(const HieraTrace *trace, const HieraEndpoint *endpoints, guint n, guint8 *cuts)
{
    gboolean one = one_thread(trace, endpoints, n), all = TRUE;
    gint64 over_ns = G_MININT64;
    for (guint i = 0; i < n; i++) {
        over_ns = MAX(over_ns, over_of(trace, &endpoints[i]));
        cuts[i] = one || i + 1 == n || over_ns <= begin_of(trace, &endpoints[i + 1]);
        all = all && cuts[i];
    }
    return all;
}

/* Return the first index from `low` on whose call began after the call of `endpoint` had returned; n if there is
 * none. */
static guint find_after(const HieraTrace *trace, const HieraEndpoint *endpoints, guint low, guint n,
                        const HieraEndpoint *endpoint)
{
    gint64 over_ns = over_of(trace, endpoint);
    while (low < n) {
        guint middle = low + (n - low) / 2;
        if (begin_of(trace, &endpoints[middle]) < over_ns)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* Return the deadlines of receives, to be freed with g_free. Receives that one call started (MPI_Startall) keep their
 * order. */
static Urgency *find_urgencies(const HieraTrace *trace, const HieraEndpoint *endpoints, guint n)
{
    Urgency *urgencies = g_new(Urgency, n);
    g_autofree gint64 *earliest = g_new(gint64, n + 1); /* by index: earliest end of this receive and all later ones */
    earliest[n] = G_MAXINT64;
    for (guint i = n; i-- > 0;) {
        guint after = find_after(trace, endpoints, i + 1, n, &endpoints[i]);
        earliest[i] = MIN(earliest[i + 1], end_of(trace, &endpoints[i]));
        urgencies[i] = (Urgency){MIN(end_of(trace, &endpoints[i]), earliest[after]), i};
        if (i + 1 < n && endpoints[i].posted == endpoints[i + 1].posted)
            urgencies[i].deadline_ns = MIN(urgencies[i].deadline_ns, urgencies[i + 1].deadline_ns);
    }
    return urgencies;
}

static int compare_urgencies(const void *a, const void *b)
{
    const Urgency *left = a, *right = b;
    if (left->deadline_ns != right->deadline_ns)
        return left->deadline_ns < right->deadline_ns ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

/* Sort receives by deadline. @return their deadlines in that order, to be freed with g_free */
static Urgency *sort_by_urgency(const HieraTrace *trace, HieraEndpoint *endpoints, guint n)
{
    Urgency *urgencies = find_urgencies(trace, endpoints, n);
    g_autofree HieraEndpoint *before = g_memdup2(endpoints, n * sizeof *endpoints);
    qsort(urgencies, n, sizeof *urgencies, compare_urgencies);
    for (guint i = 0; i < n; i++) {
        endpoints[i] = before[urgencies[i].place];
        endpoints[i].order = i;
    }
    return urgencies;
}

static int compare_sizes(const void *a, const void *b)
{
    const HieraEndpoint *left = a, *right = b;
    if (left->bytes != right->bytes)
        return left->bytes < right->bytes ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

static int compare_order(const void *a, const void *b)
{
    const HieraEndpoint *left = a, *right = b;
    return (left->order > right->order) - (left->order < right->order);
}

/* Whether n sends and n receives have the same sizes. Both arrays are sorted by size. */
static gboolean sizes_agree(const HieraEndpoint *sent, const HieraEndpoint *received, guint n)
{
    for (guint i = 0; i < n; i++) {
        if (sent[i].bytes < 0 || sent[i].bytes != received[i].bytes)
            return FALSE;
    }
    return TRUE;
}

/* Mark the endpoints for which another partner is possible: all, or, if equal sizes were paired, those whose size
 * occurs more than once. */
static void mark(HieraEndpoint *endpoints, guint n, gboolean sized)
{
    for (guint i = 0; i < n; i++)
        endpoints[i].concurrent = !sized || (i > 0 && endpoints[i - 1].bytes == endpoints[i].bytes) ||
                                  (i + 1 < n && endpoints[i + 1].bytes == endpoints[i].bytes);
}

/* Pair all sends and receives between two points that none crosses: by size if the sizes agree, else in order. */
static void settle_group(HieraEndpoint *sent, guint n_sent, HieraEndpoint *received, guint n_received)
{
    gboolean sized = FALSE;
    if (n_sent == n_received) {
        qsort(sent, n_sent, sizeof *sent, compare_sizes);
        qsort(received, n_received, sizeof *received, compare_sizes);
        sized = sizes_agree(sent, received, n_sent);
        if (!sized) {
            qsort(sent, n_sent, sizeof *sent, compare_order);
            qsort(received, n_received, sizeof *received, compare_order);
        }
    }
    mark(sent, n_sent, sized);
    mark(received, n_received, sized);
}

/* The sends and the receives of one channel. */
typedef struct {
    const HieraTrace *trace;
    HieraEndpoint *sent, *received;
    guint n_sent, n_received;
    guint8 *sent_cuts, *received_cuts;
    Urgency *urgencies; /* deadlines of the receives, in their new order */
} Sides;

/* Whether no call up to the index `place` can be paired with a later one: because the order of sends and receives is
 * certain there, or because the next send began after the deadline of the receive at that index. */
static gboolean is_cut(const Sides *sides, guint place)
{
    if (place + 1 < sides->n_sent && place < sides->n_received &&
        begin_of(sides->trace, &sides->sent[place + 1]) > sides->urgencies[place].deadline_ns)
        return TRUE;
    return (place >= sides->n_sent || sides->sent_cuts[place]) &&
           (place >= sides->n_received || sides->received_cuts[place]);
}

static void settle_groups(Sides *sides)
{
    guint n = MAX(sides->n_sent, sides->n_received);
    for (guint first = 0, end; first < n; first = end) {
        for (end = first + 1; !is_cut(sides, end - 1);)
            end++;
        guint sent = MIN(first, sides->n_sent), received = MIN(first, sides->n_received);
        if (end - first > 1)
            settle_group(sides->sent + sent, MIN(end, sides->n_sent) - sent, sides->received + received,
                         MIN(end, sides->n_received) - received);
    }
}

void hiera_match_threads(const HieraTrace *trace, HieraEndpoint *sent, guint n_sent, HieraEndpoint *received,
                         guint n_received)
{
    g_autofree guint8 *sent_cuts = g_new(guint8, n_sent), *received_cuts = g_new(guint8, n_received);
    gboolean sent_ordered = find_cuts(trace, sent, n_sent, sent_cuts);
    if (find_cuts(trace, received, n_received, received_cuts) && sent_ordered)
        return;
    g_autofree Urgency *urgencies = sort_by_urgency(trace, received, n_received);
    Sides sides = {trace, sent, received, n_sent, n_received, sent_cuts, received_cuts, urgencies};
    settle_groups(&sides);
}
