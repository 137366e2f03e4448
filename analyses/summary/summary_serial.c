/* Makes the sentence on serial sections: the time in which only one rank computes. See summary.h. */
#include "calls/shared_sections.h"
#include "summary.h"
#include "values/hypotheses.h"
#include "values/outermost.h"
#include "waiting/clock_doubts.h"
#include <string.h>

/* State of the search for serial sections, times when only one rank computes, and their sums. */
typedef struct {
    HieraSummary *summary;
    gint64 time_ns, n_sections;
    gint64 *by_node; /* by node: time in serial sections */
    guint32 node;    /* node whose time is wanted by processor; HIERA_NONE: not chosen yet */
    gint64 *by_processor;
    gboolean *computes; /* by node: TRUE if its time is computation */
    guint32 *next;      /* by processor: index of the first segment that next_computation() has not returned yet */
    guint32 *alone;     /* by processor: index of the segment in which its last serial section began */
    GArray *ranks;      /* guint32: processors of this process; ranks in `sections` are indices here */
    GArray *sections;   /* HieraSection: serial sections of this process's ranks; NULL: not found yet */
} Serial;

/* --- serial sections of ranks of this process --- */

static gboolean computes_in(const Serial *serial, const HieraRankTimes *times, guint32 segment)
{
    guint32 place = times->place[segment];
    return place != HIERA_NONE && serial->computes[times->nodes[place]];
}

/* Return the begin of a rank's next computation, of one or more successive segments, and set its end. */
static gint64 next_computation(guint32 rank, gint64 *end_ns, gpointer user)
{
    Serial *serial = user;
    guint32 processor = g_array_index(serial->ranks, guint32, rank);
    const HieraRankTimes *times = &serial->summary->delays->times[processor];
    guint32 first = serial->next[processor], last = times->n_segments - 1;
    while (first < last && !computes_in(serial, times, first))
        first++;
    guint32 behind = first;
    while (behind < last && computes_in(serial, times, behind))
        behind++;
    serial->next[processor] = behind;
    *end_ns = times->start_ns[behind];
    return first < behind ? times->start_ns[first] : HIERA_TIME_OPEN;
}

static void add_to_node(Serial *serial, guint32 processor, guint32 node, gint64 begin_ns, gint64 end_ns)
{
    gint64 time_ns = hiera_scope_clip(serial->summary->scope, begin_ns, end_ns);
    if (time_ns == 0)
        return;
    gint64 *sum = &serial->by_processor[processor];
    if (node == serial->node)
        *sum = hiera_plus(*sum, time_ns);
    if (serial->node != HIERA_NONE)
        return;
    serial->by_node[node] = hiera_plus(serial->by_node[node], time_ns);
    serial->time_ns = hiera_plus(serial->time_ns, time_ns);
    serial->n_sections++;
}

/* Add the time of a serial section to the sums of its nodes, segment by segment. */
static void add_section(Serial *serial, guint32 processor, gint64 begin_ns, gint64 end_ns)
{
    const HieraSummary *summary = serial->summary;
    const HieraRankTimes *times = &summary->delays->times[processor];
    const gint64 *start_ns = times->start_ns;
    if (!hiera_scope_accepts_rank(summary->scope, summary->trace->processors[processor].rank))
        return;
    guint32 i = serial->alone[processor];
    while (start_ns[i + 1] <= begin_ns)
        i++;
    serial->alone[processor] = i;
    for (; start_ns[i] < end_ns; i++)
        add_to_node(serial, processor, times->nodes[times->place[i]], MAX(start_ns[i], begin_ns),
                    MIN(start_ns[i + 1], end_ns));
}

/* Find the sections. The delays already have the segments of each rank, so the traces need not be cut into spans again.
 */
static void find_sections(Serial *serial)
{
    const HieraSummary *summary = serial->summary;
    gsize n = summary->trace->n_processors;
    memset(serial->next, 0, n * sizeof *serial->next);
    memset(serial->alone, 0, n * sizeof *serial->alone);
    if (!serial->sections)
        serial->sections = hiera_sections_find(summary->scope, summary->trace, serial->ranks, next_computation, serial);
    for (guint i = 0; i < serial->sections->len; i++) {
        const HieraSection *section = &g_array_index(serial->sections, HieraSection, i);
        add_section(serial, g_array_index(serial->ranks, guint32, section->rank), section->begin_ns, section->end_ns);
    }
}

/* Find the serial sections, and add up their times, by node and by processor, in process 0 over all processes. */
static void sum_sections(Serial *serial)
{
    const HieraSummary *summary = serial->summary;
    find_sections(serial);
    hiera_scope_add_up(summary->scope, summary->trace, &serial->time_ns, 1);
    hiera_scope_add_up(summary->scope, summary->trace, &serial->n_sections, 1);
    hiera_scope_add_up(summary->scope, summary->trace, serial->by_node, summary->paths.tree->nodes->len);
    hiera_scope_add_up(summary->scope, summary->trace, serial->by_processor, summary->trace->n_processors);
}

/* --- the sentence on serial sections --- */

/* Whether the trace has all MPI calls of all ranks: a missing call would look like computation, or like no run. */
static gboolean shows_all(const HieraTrace *trace)
{
    for (guint i = 0; i < trace->filtered->len; i++) {
        if (g_array_index(trace->filtered, HieraFilteredOf, i).sum.site->mpi)
            return FALSE;
    }
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        if (processor->size > (gint64)trace->n_processors || processor->paused_calls > 0 || processor->cut)
            return FALSE;
    }
    return TRUE;
}

/* Return the time in serial sections, minus the error of the clocks for each of them. */
static gint64 sure_time(const Serial *serial)
{
    gint64 error_ns;
    if (__builtin_mul_overflow(hiera_clock_doubts_of(serial->summary->trace).greatest_ns, serial->n_sections,
                               &error_ns))
        return 0;
    return serial->time_ns - error_ns;
}

static void pack_node(HieraPacker *to, gpointer user)
{
    hiera_pack_number(to, ((Serial *)user)->node);
}

static void unpack_node(HieraUnpacker *from, gpointer user)
{
    ((Serial *)user)->node = (guint32)hiera_unpack_number(from);
}

/* Return the node with most time in serial sections; HIERA_NONE if these are too short for a sentence. */
static guint32 find_most(const Serial *serial, gint64 run_ns)
{
    gint64 thresholds[HIERA_N_THRESHOLDS];
    guint32 most = 0;
    if (!hiera_thresholds_parse(NULL, thresholds) ||
        hiera_percent(sure_time(serial), run_ns) < thresholds[HIERA_HYPOTHESIS_SERIAL])
        return HIERA_NONE;
    for (guint32 node = 0; node < serial->summary->paths.tree->nodes->len; node++)
        most = serial->by_node[node] > serial->by_node[most] ? node : most;
    return most;
}

static void say_serial(HieraSummary *summary, const Serial *serial, gint64 run_ns)
{
    char share[HIERA_NUMBER_BYTES];
    guint32 processor = 0;
    for (guint32 i = 0; i < summary->trace->n_processors; i++)
        processor = serial->by_processor[i] > serial->by_processor[processor] ? i : processor;
    hiera_percent_format(share, hiera_percent(serial->time_ns, run_ns));
    hiera_summary_say(summary, HIERA_SUMMARY_UNUSUAL, HIERA_SAY_SECOND, "--measure bottlenecks",
                      "only one rank computes for %s (%s of the run), most of it rank %u in %s: %s",
                      hiera_summary_time(summary, serial->time_ns), share, summary->trace->processors[processor].rank,
                      hiera_summary_place(summary, serial->node),
                      hiera_summary_time(summary, serial->by_processor[processor]));
}

/* Find the node with most time in serial sections, then that time by processor, and add the sentence. */
static void search(HieraSummary *summary, Serial *serial)
{
    gint64 run_ns = hiera_scope_clip(summary->scope, summary->begin_ns, summary->end_ns);
    sum_sections(serial);
    if (hiera_scope_leads(summary->scope))
        serial->node = find_most(serial, run_ns);
    hiera_scope_tell(summary->scope, summary->trace, pack_node, unpack_node, serial);
    if (serial->node == HIERA_NONE)
        return;
    Serial in_node = *serial;
    sum_sections(&in_node);
    if (hiera_scope_leads(summary->scope))
        say_serial(summary, serial, run_ns);
}

void hiera_summary_add_serial(HieraSummary *summary)
{
    const HieraTrace *trace = summary->trace;
    gsize n = (gsize)trace->n_processors + 1;
    g_autofree gint64 *by_node = g_new0(gint64, summary->paths.tree->nodes->len), *by_processor = g_new0(gint64, n);
    g_autofree gboolean *computes = g_new(gboolean, summary->paths.tree->nodes->len);
    g_autofree guint32 *next = g_new(guint32, n), *alone = g_new(guint32, n);
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(guint32));
    Serial serial = {summary, 0, 0, by_node, HIERA_NONE, by_processor, computes, next, alone, ranks, NULL};
    if (!shows_all(trace) || trace->n_processors < 2)
        return;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (hiera_scope_is_own(summary->scope, i))
            g_array_append_val(ranks, i);
    }
    for (guint32 node = 0; node < summary->paths.tree->nodes->len; node++)
        computes[node] = hiera_call_paths_computes(&summary->paths, node);
    search(summary, &serial);
    g_clear_pointer(&serial.sections, g_array_unref);
}
