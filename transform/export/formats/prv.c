/* Writes a trace for Paraver: FILE.prv, FILE.pcf with the meaning of its numbers, FILE.row with the names of its rows.
 * A processor is a task, each of its threads a Paraver thread on a CPU of its own. A thread is in one state at each
 * time: that of its MPI call, of a construct of OpenMP, else running. Records are in the order of time, a state by its
 * begin; so a second iterator runs ahead of the first in each thread and finds where a state ends. Of several processes
 * each writes the records of its threads. */
#include "export/export_flows.h"
#include "export/export_merge.h"
#include "export/export_parts.h"
#include "export/exports.h"
#include "prv_labels.h"
#include "prv_openmp.h"
#include "prv_threads.h"
#include <string.h>

enum { STATE_RECORD = 1, EVENT_RECORD = 2, MESSAGE_RECORD = 3 };
enum { OF_MPI = 0x80 }; /* added to a state: it is that of an MPI call, so that what is inside changes nothing */

/* What a thread does at one of its events. */
typedef struct {
    GArray *open;   /* guint8: states in the open operations, the outermost first */
    guint8 outside; /* its state outside of all operations */
    guint8 state;
} Doing;

/* State of one thread while its events are written. */
typedef struct {
    HieraEventCursor ahead;  /* behind the event at which the state of the last record ends */
    Doing now, then;         /* at the current event, and at the last one of `ahead` */
    gint64 begin_ns, end_ns; /* span of time for which the trace says what the thread does */
} Thread;

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraPrvThreads names;
    HieraPrvLabels labels;
    Thread *threads;  /* by lane: state of the thread */
    GArray *by_begin; /* guint: indices of the lanes of this process, by begin_ns */
    guint n_begun;    /* number of lanes in `by_begin` whose first state is written */
    HieraFlows flows;
    gint64 shift_ns; /* what is added to all times, because they must not be negative */
    HieraExportMerge *merge;
    FILE *stream;
} Prv;

/* Begin a thread's first state record. In the file it precedes event records of the same time. */
static void place_state(Prv *prv, guint lane, gint64 time_ns)
{
    prv->stream = hiera_export_merge_at(prv->merge, time_ns, lane);
}

static void place_event(Prv *prv, guint lane, gint64 time_ns)
{
    prv->stream = hiera_export_merge_at(prv->merge, time_ns, prv->names.lanes->len + lane);
}

static gint64 shifted(const Prv *prv, gint64 time_ns)
{
    return MAX(0, hiera_plus(time_ns, prv->shift_ns));
}

static void write_thread(const Prv *prv, guint lane)
{
    const HieraPrvThread *thread = &prv->names.threads[lane];
    fprintf(prv->stream, "%u:1:%u:%u", thread->cpu, thread->task, thread->thread);
}

static void write_state(const Prv *prv, guint lane, gint64 begin_ns, gint64 end_ns, guint8 state)
{
    if (end_ns <= begin_ns)
        return;
    fprintf(prv->stream, "%d:", STATE_RECORD);
    write_thread(prv, lane);
    fprintf(prv->stream, ":%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ":%d\n", shifted(prv, begin_ns),
            shifted(prv, end_ns), state & ~OF_MPI);
}

static guint8 find_state(const Prv *prv, guint32 row, guint8 around)
{
    const HieraSite *site = hiera_trace_peek_site(prv->trace, row);
    const HieraPrvConstruct *construct = hiera_prv_construct(site);
    if (around & OF_MPI)
        return around;
    if (site->mpi)
        return OF_MPI | (guint8)hiera_prv_state(site);
    return construct ? (guint8)construct->state : around;
}

/* Find what a thread does after an event. @return TRUE: something else than before */
static gboolean go_on(const Prv *prv, Doing *doing, const HieraEvent *event)
{
    guint8 before = doing->state;
    doing->state = event->depth ? g_array_index(doing->open, guint8, event->depth - 1) : doing->outside;
    g_array_set_size(doing->open, event->depth);
    if (event->begins) {
        doing->state = find_state(prv, event->row, doing->state);
        g_array_append_val(doing->open, doing->state);
    }
    return doing->state != before;
}

/* Move `ahead` to the next event at which the thread's state changes. @return its time; the thread's end: none does */
static gint64 find_change(const Prv *prv, Thread *thread)
{
    HieraEvent event;
    while (hiera_event_cursor_next(&thread->ahead, &event)) {
        if (go_on(prv, &thread->then, &event))
            return event.time_ns;
    }
    return MAX(thread->end_ns, thread->ahead.last_ns);
}

/* Write the first state of all threads that have begun by a time and have no state yet. */
static void begin_threads(Prv *prv, gint64 until_ns)
{
    for (; prv->n_begun < prv->by_begin->len; prv->n_begun++) {
        guint lane = g_array_index(prv->by_begin, guint, prv->n_begun);
        Thread *thread = &prv->threads[lane];
        if (thread->begin_ns > until_ns)
            return;
        place_state(prv, lane, thread->begin_ns);
        write_state(prv, lane, thread->begin_ns, find_change(prv, thread), thread->now.outside);
    }
}

static void write_pair(const Prv *prv, guint32 type, gint64 value)
{
    fprintf(prv->stream, ":%u:%" G_GINT64_FORMAT, type, value);
}

/* Write an operation's counter values, rounded, because Paraver has only whole numbers. */
static void write_counted(const Prv *prv, guint32 row)
{
    const HieraCounted *counted;
    guint n = hiera_trace_peek_counted(prv->trace, row, &counted);
    for (guint i = 0; i < n; i++) {
        gdouble value = CLAMP(counted[i].value, -9e18, 9e18);
        write_pair(prv, hiera_prv_counter_type(&prv->labels, counted[i].counter),
                   (gint64)(value < 0 ? value - 0.5 : value + 0.5));
    }
}

static void write_construct(const Prv *prv, const HieraSite *site, gboolean begins)
{
    const HieraPrvConstruct *construct = hiera_prv_construct(site);
    if (!construct || !construct->type)
        return;
    guint32 value = construct->label ? construct->value : prv->labels.place[site->id];
    if (value)
        write_pair(prv, construct->type, begins ? value : 0);
}

static void write_event_record(const Prv *prv, guint lane, const HieraEvent *event)
{
    const HieraSite *site = hiera_trace_peek_site(prv->trace, event->row);
    guint32 type = prv->labels.type[site->id];
    gint64 sent = prv->trace->bytes[event->row], received = hiera_trace_peek_sparse(prv->trace, event->row)->rbytes;
    fprintf(prv->stream, "%d:", EVENT_RECORD);
    write_thread(prv, lane);
    fprintf(prv->stream, ":%" G_GINT64_FORMAT, shifted(prv, event->time_ns));
    write_pair(prv, type, event->begins ? prv->labels.value[site->id] : 0);
    write_pair(prv, site->mpi ? HIERA_PRV_TYPE_CALLER_LINE : HIERA_PRV_TYPE_FUNCTION_LINE,
               event->begins ? prv->labels.place[site->id] : 0);
    if (type == HIERA_PRV_TYPE_COLLECTIVE && sent >= 0)
        write_pair(prv, HIERA_PRV_TYPE_SENT, event->begins ? sent : 0);
    if (type == HIERA_PRV_TYPE_COLLECTIVE && received >= 0)
        write_pair(prv, HIERA_PRV_TYPE_RECEIVED, event->begins ? received : 0);
    write_construct(prv, site, event->begins);
    if (!event->begins)
        write_counted(prv, event->row);
    fputc('\n', prv->stream);
}

/* Write a message. Logical times are those at which the calls of the program begin; physical times are those by which
 * the message has left and has arrived: the end of the sending call, and of the call that completes the receive. */
static void write_message(const Prv *prv, guint lane, const HieraEvent *event, guint32 index)
{
    guint n;
    const HieraMessage *message = &hiera_match_peek_messages(prv->match, &n)[index];
    const HieraTrace *trace = prv->trace;
    gint64 bytes = hiera_match_message_bytes(prv->match, index);
    gint32 tag = trace->tag[message->from];
    fprintf(prv->stream, "%d:", MESSAGE_RECORD);
    write_thread(prv, lane);
    fprintf(prv->stream, ":%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ":", shifted(prv, event->time_ns),
            shifted(prv, event->end_ns));
    write_thread(prv, hiera_prv_threads_find(&prv->names, message->to));
    fprintf(prv->stream, ":%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ":%d\n",
            shifted(prv, trace->start_ns[message->to]), shifted(prv, trace->finish_ns[hiera_export_arrival(message)]),
            MAX(bytes, 0), tag == HIERA_ABSENT ? 0 : tag);
}

static void write_event(guint lane, const HieraEvent *event, gpointer user)
{
    Prv *prv = user;
    Thread *thread = &prv->threads[lane];
    begin_threads(prv, event->time_ns);
    place_event(prv, lane, event->time_ns);
    if (go_on(prv, &thread->now, event))
        write_state(prv, lane, event->time_ns, find_change(prv, thread), thread->now.state);
    write_event_record(prv, lane, event);
    const GArray *leaving = prv->flows.leaving;
    for (guint i = hiera_flows_find(leaving, event->row); event->begins && i < leaving->len; i++) {
        const HieraExportFlow *flow = &g_array_index(leaving, HieraExportFlow, i);
        if (flow->row != event->row)
            return;
        write_message(prv, lane, event, flow->message);
    }
}

/* Write the head of the file. Its date is that of 1970, because a trace does not say when it was made. */
static void write_head(const Prv *prv, gint64 last_ns, FILE *stream)
{
    fprintf(stream, "#Paraver (01/01/1970 at 00:00):%" G_GINT64_FORMAT "_ns:", shifted(prv, last_ns));
    hiera_prv_threads_write_head(&prv->names, stream);
    fputs(",0\n", stream);
}

/* Write the file .prv, together with all other processes. @param stream  NULL in processes other than 0 */
static void write_body(Prv *prv, FILE *stream)
{
    gint64 first_ns, last_ns;
    hiera_lanes_find_span(prv->scope, prv->trace, &first_ns, &last_ns);
    prv->shift_ns = hiera_lanes_shift(first_ns);
    if (stream)
        write_head(prv, last_ns, stream);
    prv->merge = hiera_export_merge_new(prv->scope, prv->trace, stream);
    hiera_lanes_visit(prv->scope, prv->trace, prv->names.lanes, write_event, prv);
    begin_threads(prv, G_MAXINT64);
    hiera_export_merge_end(prv->merge);
}

static void write_labels(Prv *prv, FILE *stream)
{
    if (stream)
        hiera_prv_labels_write(&prv->labels, stream);
}

static void write_rows(Prv *prv, FILE *stream)
{
    if (stream)
        hiera_prv_threads_write_rows(&prv->names, stream);
}

static gint compare_begins(gconstpointer a, gconstpointer b, gpointer user)
{
    const Thread *threads = user, *x = &threads[*(const guint *)a], *y = &threads[*(const guint *)b];
    return x->begin_ns != y->begin_ns ? (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns) : (x > y) - (x < y);
}

/* Return what a thread does before its first operation. A thread of OpenMP is idle beside its parts of regions; of
 * others it is not known, so that they run. */
static Doing begin_doing(const Prv *prv, const HieraExportLane *lane, guint64 first)
{
    gboolean idles =
        lane->thread && lane->n_operations && hiera_prv_construct(hiera_trace_peek_site(prv->trace, (guint32)first));
    guint8 state = idles ? HIERA_PRV_STATE_IDLE : HIERA_PRV_STATE_RUNNING;
    return (Doing){g_array_new(FALSE, FALSE, sizeof(guint8)), state, state};
}

/* Initialise a thread. A main thread is known from init to finalize, and in operations around or beside them; another
 * thread from its first operation to its last. */
static void thread_init(const Prv *prv, guint index)
{
    const HieraExportLane *lane = &g_array_index(prv->names.lanes, HieraExportLane, index);
    const HieraProcessor *processor = &prv->trace->processors[lane->processor];
    guint64 first = processor->first + lane->first;
    gboolean main_thread = prv->names.threads[index].thread == 1;
    Thread *thread = &prv->threads[index];
    thread->begin_ns = main_thread ? processor->init_ns : G_MAXINT64;
    thread->end_ns = main_thread ? processor->finalize_ns : G_MININT64;
    if (lane->n_operations)
        thread->begin_ns = MIN(thread->begin_ns, prv->trace->start_ns[first]);
    thread->now = begin_doing(prv, lane, first);
    thread->then = begin_doing(prv, lane, first);
    hiera_event_cursor_init(&thread->ahead, prv->trace, first, lane->n_operations);
}

static gboolean is_own(const Prv *prv, guint lane)
{
    return hiera_scope_is_own(prv->scope, g_array_index(prv->names.lanes, HieraExportLane, lane).processor);
}

static void prv_init(Prv *prv, const HieraExportInput *input)
{
    *prv = (Prv){.match = input->match, .trace = hiera_match_peek_trace(input->match), .scope = input->scope};
    hiera_prv_threads_init(&prv->names, prv->scope, prv->trace);
    hiera_prv_labels_init(&prv->labels, prv->scope, prv->trace);
    hiera_flows_init(&prv->flows, prv->match, input->scope);
    const guint n = prv->names.lanes->len;
    prv->threads = g_new0(Thread, n);
    prv->by_begin = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < n; i++) {
        if (!is_own(prv, i))
            continue;
        thread_init(prv, i);
        g_array_append_val(prv->by_begin, i);
    }
    g_array_sort_with_data(prv->by_begin, compare_begins, prv->threads);
}

static void prv_clear(Prv *prv)
{
    for (guint i = 0; i < prv->by_begin->len; i++) {
        Thread *thread = &prv->threads[g_array_index(prv->by_begin, guint, i)];
        hiera_event_cursor_clear(&thread->ahead);
        g_array_unref(thread->now.open);
        g_array_unref(thread->then.open);
    }
    g_free(prv->threads);
    g_array_unref(prv->by_begin);
    hiera_prv_threads_clear(&prv->names);
    hiera_prv_labels_clear(&prv->labels);
    hiera_flows_clear(&prv->flows);
}

static gboolean write_file(Prv *prv, const char *stem, const char *suffix, void (*write)(Prv *prv, FILE *stream),
                           GError **error)
{
    g_autofree char *path = g_strconcat(stem, suffix, NULL);
    HieraOutputFile output;
    if (!hiera_export_open(&output, prv->scope, path, error))
        return FALSE;
    write(prv, output.stream);
    return hiera_export_close(&output, error);
}

gboolean hiera_export_prv(const HieraExportInput *input, const char *target, GError **error)
{
    if (hiera_output_is_standard(target)) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                    "prv: three files cannot go to standard output; name one: prv:FILE");
        return FALSE;
    }
    g_autofree char *stem = g_strndup(target, strlen(target) - (g_str_has_suffix(target, ".prv") ? 4 : 0));
    Prv prv;
    prv_init(&prv, input);
    gboolean good = write_file(&prv, stem, ".prv", write_body, error) &&
                    write_file(&prv, stem, ".pcf", write_labels, error) &&
                    write_file(&prv, stem, ".row", write_rows, error);
    prv_clear(&prv);
    return good;
}
