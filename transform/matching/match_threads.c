/* Messages of threads that send or receive side by side.
 *
 * MPI orders the calls of one thread. Of two threads' calls it orders none, and time orders only those of which one was
 * over before the other began; between calls that overlap any order is possible. Among the possible ones this takes
 * one in which nothing is received before it was sent, if there is such a one: sends by their start, receives by
 * their end, but none before another whose call was over earlier. Where the sizes tell messages apart, equal sizes
 * belong together. */
#include "endpoint_list.h"
#include <string.h>

/* A receive with the time until which it, and all that can only come behind it, must have got a message. */
typedef struct {
    gint64 deadline_ns;
    guint place;
} Urgency;

static gint64 begin_of(const HieraTrace *trace, const HieraEndpoint *endpoint)
{
    return trace->start_ns[endpoint->posted];
}

static gint64 over_of(const HieraTrace *trace, const HieraEndpoint *endpoint)
{
    return trace->finish_ns[endpoint->posted];
}

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

/* By place: whether all calls up to it come before those behind it. @return whether all places are such */
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

/* The first place from `low` on whose call began when that of `endpoint` was over. */
static guint find_behind(const HieraTrace *trace, const HieraEndpoint *endpoints, guint low, guint n,
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

/* One call may start several: they stand one behind the other. */
static Urgency *find_urgencies(const HieraTrace *trace, const HieraEndpoint *endpoints, guint n)
{
    Urgency *urgencies = g_new(Urgency, n);
    g_autofree gint64 *earliest = g_new(gint64, n + 1); /* end from a place on */
    earliest[n] = G_MAXINT64;
    for (guint i = n; i-- > 0;) {
        guint behind = find_behind(trace, endpoints, i + 1, n, &endpoints[i]);
        earliest[i] = MIN(earliest[i + 1], end_of(trace, &endpoints[i]));
        urgencies[i] = (Urgency){MIN(end_of(trace, &endpoints[i]), earliest[behind]), i};
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

/* @return the urgencies in the new order, to be freed */
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

/* Did as many of each size arrive as were sent? Both sides are sorted by size. */
static gboolean sizes_agree(const HieraEndpoint *sent, const HieraEndpoint *received, guint n)
{
    for (guint i = 0; i < n; i++) {
        if (sent[i].bytes < 0 || sent[i].bytes != received[i].bytes)
            return FALSE;
    }
    return TRUE;
}

/* Those for which another partner is possible. */
static void mark(HieraEndpoint *endpoints, guint n, gboolean sized)
{
    for (guint i = 0; i < n; i++)
        endpoints[i].concurrent = !sized || (i > 0 && endpoints[i - 1].bytes == endpoints[i].bytes) ||
                                  (i + 1 < n && endpoints[i + 1].bytes == endpoints[i].bytes);
}

/* Calls between two cuts. */
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

/* Calls of both sides. */
typedef struct {
    const HieraTrace *trace;
    HieraEndpoint *sent, *received;
    guint n_sent, n_received;
    guint8 *sent_cuts, *received_cuts;
    Urgency *urgencies; /* of the receives, sorted */
} Sides;

/* Is a pairing of calls up to a place with calls behind it impossible? By the order of both sides, or because what was
 * sent behind it was sent too late. */
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
