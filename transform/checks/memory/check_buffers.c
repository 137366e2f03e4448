/* Buffers: nobody uses memory that a call which is not complete still has, and the buffers of one call are apart.
 *
 * The uses of a rank are visited in the order of time; which of them are pending is kept by address, so that of very
 * many only those are looked at that overlap. */
#include "buffer_uses.h"

enum { CONFLICTS_MOST = 64 }; /* of one use that are looked for: those of one call site are one finding */

/* Which uses are pending, by their places among all of a rank, sorted by address: a tree in an array, whose node has
 * the greatest end of the pending uses below it. */
typedef struct {
    gint64 *ends; /* node i: of nodes 2i and 2i + 1; the leaves come last */
    guint32 leaves;
} Pending;

typedef struct {
    const HieraCheck *check;
    guint32 n;
    const HieraBufferUse **sorted; /* by address */
    Pending reads, writes;
} Sweep;

guint64 hiera_buffers_visits;

/* --- pending uses --- */

static Pending pending_new(guint32 n)
{
    Pending pending = {NULL, 1};
    while (pending.leaves < n)
        pending.leaves *= 2;
    pending.ends = g_new(gint64, 2 * (gsize)pending.leaves);
    for (gsize i = 0; i < 2 * (gsize)pending.leaves; i++)
        pending.ends[i] = G_MININT64;
    return pending;
}

/* @param end  behind the last byte of a use; G_MININT64: it is over */
static void pending_set(const Pending *pending, guint32 place, gint64 end)
{
    gsize node = pending->leaves + (gsize)place;
    pending->ends[node] = end;
    for (node /= 2; node > 0; node /= 2)
        pending->ends[node] = MAX(pending->ends[2 * node], pending->ends[2 * node + 1]);
}

/* Return the first place from `from` on whose use is pending and ends behind an address; `leaves`: none. */
static guint32 pending_find(const Pending *pending, guint32 from, gint64 address)
{
    gsize node = pending->leaves + (gsize)from;
    while (node < 2 * (gsize)pending->leaves && pending->ends[node] <= address) {
        hiera_buffers_visits++;
        while (node % 2 == 1)
            node /= 2;
        if (node == 0)
            return pending->leaves;
        node++;
    }
    while (node < pending->leaves) {
        hiera_buffers_visits++;
        node = pending->ends[2 * node] > address ? 2 * node : 2 * node + 1;
    }
    return (guint32)(node - pending->leaves);
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
    const char *does = use->changed      ? "has changed"
                       : use->left       ? "has left the function with"
                       : use->freed      ? "has freed"
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

/* Compare a use with those that are pending. @param left  of how many conflicts are still looked for */
static guint compare_with(const Sweep *sweep, const Pending *pending, const HieraBufferUse *use, guint left)
{
    const HieraBufferSpan span = hiera_buffer_span(use);
    for (guint32 place = 0; left > 0; place++) {
        place = place < pending->leaves ? pending_find(pending, place, use->address) : pending->leaves;
        if (place >= sweep->n || sweep->sorted[place]->address >= use->address + use->bytes)
            break;
        const HieraBufferUse *other = sweep->sorted[place];
        const HieraBufferSpan others = hiera_buffer_span(other);
        if (!hiera_buffers_overlap(&others, &span) || are_apart(sweep->check->trace, other, use))
            continue;
        left--;
        if (other->row == use->row)
            report_aliases(sweep->check, use);
        else
            report(sweep->check, other, use);
    }
    return left;
}

static void compare_with_pending(const Sweep *sweep, const HieraBufferUse *use)
{
    guint left = compare_with(sweep, &sweep->writes, use, CONFLICTS_MOST);
    if (use->use == 'w')
        compare_with(sweep, &sweep->reads, use, left);
}

/* Find the window in whose memory something has happened that is only recorded until it is freed. */
static const HieraBufferUse *find_window(const GArray *uses, guint from, const HieraBufferUse *lost)
{
    const HieraBufferUse *found = NULL;
    for (guint i = from; i < uses->len; i++) {
        const HieraBufferUse *use = &g_array_index(uses, HieraBufferUse, i);
        if (use->row > lost->row)
            break;
        if (use->use == 'x' && use->address == lost->address && use->bytes == lost->bytes)
            found = use;
    }
    return found;
}

/* Report that the memory of a window is no longer there. @return  whether it is a window's */
static gboolean report_window(const HieraCheck *check, const GArray *uses, guint from, const HieraBufferUse *lost)
{
    const HieraBufferUse *window = lost->left || lost->freed ? find_window(uses, from, lost) : NULL;
    if (!window)
        return FALSE;
    const HieraProcessor *of = &check->trace->processors[hiera_trace_find_processor(check->trace, lost->row)];
    if (of->paused_calls > 0 || of->lost_calls > 0) /* the window may have been freed in a call that was not recorded */
        return TRUE;
    g_autofree char *subject = g_strdup_printf("%u %u", check->trace->site[window->row], check->trace->site[lost->row]);
    if (hiera_findings_repeat(check->findings, HIERA_FINDING_CONFLICT_OWN, subject))
        return TRUE;
    g_autofree char *here = hiera_check_describe(check, lost->row), *there = hiera_check_describe(check, window->row);
    hiera_check_add(check, HIERA_FINDING_CONFLICT_OWN, lost->row, window->row, subject,
                    "%s: rank %u has %s the memory of the window of %s (%s:%u), which is not freed yet", here,
                    hiera_check_rank(check, lost->row), lost->freed ? "freed" : "left the function with", there,
                    hiera_check_path(check, window->row), hiera_check_line(check, window->row));
    return TRUE;
}

static gboolean overlap(const HieraBufferUse *a, const HieraBufferUse *b)
{
    const HieraBufferSpan left = hiera_buffer_span(a), right = hiera_buffer_span(b);
    return hiera_buffers_overlap(&left, &right);
}

/* Report that the memory of a send has changed before the call that completed it, unless it is known who wrote into it.
 * @param changed  number of the use that says so */
static void report_change(const HieraCheck *check, const GArray *uses, guint from, guint changed)
{
    const HieraBufferUse *change = &g_array_index(uses, HieraBufferUse, changed);
    for (guint i = changed; i-- > from;) {
        const HieraBufferUse *use = &g_array_index(uses, HieraBufferUse, i);
        if (use->use == 'w' && overlap(use, change))
            return;
        if (use->use != 'r' || use->address != change->address || use->bytes != change->bytes)
            continue;
        hiera_check_stand_at(check, 0, change->row);
        report(check, use, change);
        return;
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

static gint compare_addresses(gconstpointer a, gconstpointer b)
{
    const HieraBufferUse *left = *(const HieraBufferUse *const *)a, *right = *(const HieraBufferUse *const *)b;
    if (left->address != right->address)
        return left->address < right->address ? -1 : 1;
    return (left > right) - (left < right); /* both are in one array */
}

/* Sort the uses from `from` to before `to` by address. @param places  that are found, by use */
static void sort_uses(Sweep *sweep, const GArray *uses, guint from, guint32 *places)
{
    for (guint32 i = 0; i < sweep->n; i++)
        sweep->sorted[i] = &g_array_index(uses, HieraBufferUse, from + i);
    qsort(sweep->sorted, sweep->n, sizeof *sweep->sorted, compare_addresses);
    for (guint32 i = 0; i < sweep->n; i++)
        places[sweep->sorted[i] - &g_array_index(uses, HieraBufferUse, from)] = i;
}

static void begin_or_end(const Sweep *sweep, const HieraBufferUse *use, gboolean ends, guint32 place)
{
    if (!ends)
        compare_with_pending(sweep, use);
    pending_set(use->use == 'w' ? &sweep->writes : &sweep->reads, place, ends ? G_MININT64 : use->address + use->bytes);
}

static void sweep_rank(const HieraCheck *check, const GArray *uses, guint from, guint to)
{
    guint32 n = to - from;
    Sweep sweep = {check, n, g_new(const HieraBufferUse *, n), pending_new(n), pending_new(n)};
    g_autofree guint32 *places = g_new(guint32, n);
    g_autoptr(GArray) events = g_array_new(FALSE, FALSE, sizeof(Event));
    sort_uses(&sweep, uses, from, places);
    for (guint i = from; i < to; i++) {
        const HieraBufferUse *use = &g_array_index(uses, HieraBufferUse, i);
        if (use->changed)
            report_change(check, uses, from, i);
        else if (use->use == 'r' || use->use == 'w')
            add_events(events, check->trace, use, i);
    }
    g_array_sort(events, compare_events);
    for (guint i = 0; i < events->len; i++) {
        const Event *event = &g_array_index(events, Event, i);
        const HieraBufferUse *use = &g_array_index(uses, HieraBufferUse, event->use);
        if (!event->ends)
            hiera_check_stand_at(check, 0, use->row);
        if (event->ends || !report_window(check, uses, from, use))
            begin_or_end(&sweep, use, event->ends, places[event->use - from]);
    }
    g_free(sweep.sorted);
    g_free(sweep.reads.ends);
    g_free(sweep.writes.ends);
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
    hiera_check_places(check);
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
