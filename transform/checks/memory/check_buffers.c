/* Buffers: nobody uses memory that a call which is not complete still has, and the buffers of one call are apart.
 *
 * The uses of a rank are visited in the order of time; those that are pending lie in a sequence sorted by address. */
#include "buffer_uses.h"

typedef struct {
    const HieraCheck *check;
    GSequence *pending; /* const HieraBufferUse, by address */
    gint64 longest;     /* bytes of the longest use */
} Sweep;

static gint compare_addresses(gconstpointer a, gconstpointer b, gpointer unused)
{
    const HieraBufferUse *left = a, *right = b;
    (void)unused;
    return (left->address > right->address) - (left->address < right->address);
}

/* --- findings --- */

static void report(const HieraCheck *check, const HieraBufferUse *pending, const HieraBufferUse *use)
{
    g_autofree char *subject =
        g_strdup_printf("%u %u %c", check->trace->site[pending->row], check->trace->site[use->row], use->use);
    if (hiera_findings_repeat(check->findings, HIERA_FINDING_BUFFER, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, use->row), *there = hiera_check_describe(check, pending->row);
    g_autofree char *end = hiera_check_describe(check, pending->until);
    const char *does = use->left         ? "has left the function with"
                       : use->use == 'r' ? "reads"
                       : use->program    ? "changes"
                                         : "writes into";
    hiera_check_add(check, HIERA_FINDING_BUFFER, use->row, pending->row, subject,
                    "%s: rank %u %s the %s buffer of %s (%s:%u) before %s completes it; until then MPI %s it", here,
                    hiera_check_rank(check, use->row), does, pending->use == 'w' ? "receive" : "send", there,
                    hiera_check_path(check, pending->row), hiera_check_line(check, pending->row), end,
                    pending->use == 'w' ? "may write" : "may read");
}

static void report_aliases(const HieraCheck *check, const HieraBufferUse *use)
{
    g_autofree char *subject = g_strdup_printf("%u", check->trace->site[use->row]);
    if (hiera_findings_repeat(check->findings, HIERA_FINDING_BUFFER, subject))
        return;
    g_autofree char *here = hiera_check_describe(check, use->row);
    hiera_check_add(check, HIERA_FINDING_BUFFER, use->row, HIERA_NONE, subject,
                    "%s: rank %u gives buffers that overlap, and MPI writes into one of them", here,
                    hiera_check_rank(check, use->row));
}

/* --- the sweep over the uses of a rank --- */

/* Whether the program has used memory in another thread than a call: when that was is not known so well, and the
 * threads may have agreed (check_windows.c). */
static gboolean are_apart(const HieraTrace *trace, const HieraBufferUse *pending, const HieraBufferUse *use)
{
    return use->program && trace->thread[use->row] != trace->thread[pending->row];
}

static gboolean conflict(const HieraBufferUse *a, const HieraBufferUse *b)
{
    return (a->use == 'w' || b->use == 'w') &&
           hiera_buffers_overlap(a->address, a->bytes, a->gaps, b->address, b->bytes, b->gaps);
}

static void compare_with_pending(const Sweep *sweep, const HieraBufferUse *use)
{
    HieraBufferUse from = {.address = use->address - sweep->longest};
    GSequenceIter *at = g_sequence_search(sweep->pending, &from, compare_addresses, NULL);
    for (; !g_sequence_iter_is_end(at); at = g_sequence_iter_next(at)) {
        const HieraBufferUse *pending = g_sequence_get(at);
        if (pending->address >= use->address + use->bytes)
            break;
        if (!conflict(pending, use) || are_apart(sweep->check->trace, pending, use))
            continue;
        if (pending->row == use->row)
            report_aliases(sweep->check, use);
        else
            report(sweep->check, pending, use);
    }
}

/* An event of the sweep: a use begins, or (`ends`) it is over. */
typedef struct {
    gint64 ns;
    gboolean ends;
    guint use;
} Event;

static gint compare_events(gconstpointer a, gconstpointer b)
{
    const Event *left = a, *right = b;
    if (left->ns != right->ns)
        return left->ns < right->ns ? -1 : 1;
    if (left->ends != right->ends)
        return right->ends - left->ends;
    return (left->use > right->use) - (left->use < right->use);
}

/* Add the events of a use. Those of a blocking call are in the sequence while its other buffers are compared. */
static void add_events(GArray *events, const HieraTrace *trace, const HieraBufferUse *use, guint number)
{
    const Event begin = {trace->start_ns[use->row], FALSE, number};
    const Event end = {MAX(begin.ns + 1, trace->start_ns[use->until]), TRUE, number};
    g_array_append_val(events, begin);
    g_array_append_val(events, end);
}

static void sweep_rank(const HieraCheck *check, const GArray *uses, guint from, guint to)
{
    Sweep sweep = {check, g_sequence_new(NULL), 0};
    g_autoptr(GArray) events = g_array_new(FALSE, FALSE, sizeof(Event));
    GSequenceIter **places = g_new0(GSequenceIter *, to - from);
    for (guint i = from; i < to; i++) {
        const HieraBufferUse *use = &g_array_index(uses, HieraBufferUse, i);
        if (use->use == 'r' || use->use == 'w')
            add_events(events, check->trace, use, i);
        sweep.longest = MAX(sweep.longest, use->bytes);
    }
    g_array_sort(events, compare_events);
    for (guint i = 0; i < events->len; i++) {
        const Event *event = &g_array_index(events, Event, i);
        HieraBufferUse *use = &g_array_index(uses, HieraBufferUse, event->use);
        if (event->ends && places[event->use - from]) {
            g_sequence_remove(places[event->use - from]);
        } else if (!event->ends) {
            hiera_check_stand_at(check, 0, use->row);
            compare_with_pending(&sweep, use);
            places[event->use - from] = g_sequence_insert_sorted(sweep.pending, use, compare_addresses, NULL);
        }
    }
    g_free(places);
    g_sequence_free(sweep.pending);
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
    const HieraBufferUse *left = a, *right = b;
    return (left->row > right->row) - (left->row < right->row);
}

/* A part of a run is not checked: a use may end in another one. A finding has all parts read at once. */
static void ask_for_all(const HieraCheck *check)
{
    hiera_findings_add(check->findings, HIERA_FINDING_BUFFER, "", 0, NULL, "buffers are checked in the whole run");
}

void hiera_check_buffers(const HieraCheck *check)
{
    g_autoptr(GArray) uses = hiera_buffer_uses(check->match);
    if (check->part && uses->len > 0) {
        ask_for_all(check);
        return;
    }
    g_array_sort(uses, compare_rows);
    for (guint i = 0, end = 0; i < uses->len; i = end) {
        guint32 processor = hiera_trace_find_processor(check->trace, g_array_index(uses, HieraBufferUse, i).row);
        const HieraProcessor *of = &check->trace->processors[processor];
        for (end = i; end < uses->len && g_array_index(uses, HieraBufferUse, end).row < of->first + of->n_operations;)
            end++;
        if (hiera_scope_is_own(check->scope, processor))
            sweep_rank(check, uses, i, end);
    }
}
