/* See predicted_times.h. The rows of a thread are a sequence of begins and ends in document order. Before the span
 * of a call, all earlier events are taken; during a span of computation, those that the recorded run had in it. */
#include "predicted_times.h"
#include "hiera_retime.h"

typedef struct {
    guint32 next, behind; /* row of the thread's next operation to begin; row behind its last operation */
    guint32 inside;       /* row of the innermost operation that has begun and not ended; HIERA_NONE: none */
    gint64 last_ns;       /* new end of the last span of another thread than the main thread */
} Progress;

struct PredictedTimes {
    const RecordedRun *run;
    gint64 first_ns; /* recorded begin of the rank that begins first; corresponds to time 0 of the simulation */
    gint64 *start_ns, *finish_ns;
    gint64 *finalize_ns; /* by index of the rank: its predicted end; NULL: the simulation is not finished */
    Progress *ranks;
    GArray *threads;     /* Progress: other threads than main threads */
    GHashTable *numbers; /* processor and number of a thread → its index + 1 */
    gboolean has_threads;
};

static guint32 find_behind(const HieraTrace *trace, guint32 first, const HieraProcessor *of)
{
    guint32 behind = first;
    while (behind < of->first + of->n_operations && trace->thread[behind] == trace->thread[first])
        behind++;
    return behind;
}

/* Return the key of a thread in `numbers`. */
static gint64 key_of(guint32 processor, guint32 number)
{
    return (gint64)processor << 32 | number;
}

/* Prepare for the other threads of a rank, whose rows begin with `first`. */
static void add_threads(PredictedTimes *times, guint32 first, const HieraProcessor *of)
{
    while (first < of->first + of->n_operations) {
        const Progress thread = {first, find_behind(times->run->trace, first, of), HIERA_NONE, 0};
        gint64 *key = g_new(gint64, 1);
        *key = key_of(of->number, times->run->trace->thread[first]);
        for (; first < thread.behind; first++)
            times->start_ns[first] = times->finish_ns[first] = -1;
        g_array_append_val(times->threads, thread);
        g_hash_table_insert(times->numbers, key, GUINT_TO_POINTER(times->threads->len));
    }
}

PredictedTimes *predicted_times_new(const RecordedRun *run)
{
    const HieraTrace *trace = run->trace;
    PredictedTimes *times = g_new(PredictedTimes, 1);
    *times = (PredictedTimes){run,
                              G_MAXINT64,
                              g_new0(gint64, (gsize)trace->n_operations + 1),
                              g_new0(gint64, (gsize)trace->n_operations + 1),
                              NULL,
                              g_new0(Progress, trace->n_processors),
                              g_array_new(FALSE, FALSE, sizeof(Progress)),
                              g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
                              FALSE};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        guint32 first = (guint32)of->first, behind = first;
        if (of->n_operations > 0 && trace->thread[first] == 0)
            behind = find_behind(trace, first, of);
        times->ranks[i] = (Progress){.next = first, .behind = behind, .inside = HIERA_NONE};
        add_threads(times, behind, of);
        times->first_ns = MIN(times->first_ns, of->init_ns);
    }
    return times;
}

void predicted_times_free(PredictedTimes *times)
{
    g_free(times->start_ns);
    g_free(times->finish_ns);
    g_free(times->finalize_ns);
    g_free(times->ranks);
    g_array_unref(times->threads);
    g_hash_table_unref(times->numbers);
    g_free(times);
}

/* --- begins and ends of operations --- */

/* The begin or end of an operation, and its recorded time. */
typedef struct {
    guint32 row; /* row of the operation; HIERA_NONE: there are no more events */
    gboolean begins;
    gint64 ns;
} Event;

static Event peek_event(const PredictedTimes *times, const Progress *rank)
{
    const HieraTrace *trace = times->run->trace;
    guint32 around = rank->next < rank->behind ? trace->parent[rank->next] : HIERA_NONE;
    if (rank->inside != HIERA_NONE && (rank->next >= rank->behind || around != rank->inside))
        return (Event){rank->inside, FALSE, trace->finish_ns[rank->inside]};
    if (rank->next < rank->behind)
        return (Event){rank->next, TRUE, trace->start_ns[rank->next]};
    return (Event){HIERA_NONE, FALSE, 0};
}

/* Store the new time of the next event. Events before MPI_Init keep their recorded times.
 *
 * @param ns  new time, unless the event was recorded before MPI_Init */
static void take_event(PredictedTimes *times, Progress *rank, const Event *event, const HieraProcessor *of, gint64 ns)
{
    (event->begins ? times->start_ns : times->finish_ns)[event->row] = event->ns < of->init_ns ? event->ns : ns;
    if (event->begins)
        rank->next++;
    rank->inside = event->begins ? event->row : times->run->trace->parent[event->row];
}

/* --- new times from simulated spans --- */

static gint64 place_in(const HieraTimeSpan *span, gint64 begin_ns, gint64 end_ns, gint64 ns)
{
    gint64 length_ns = span->end_ns - span->begin_ns;
    if (length_ns == end_ns - begin_ns)
        return CLAMP(begin_ns + (ns - span->begin_ns), begin_ns, end_ns);
    gdouble part = length_ns > 0 ? (gdouble)(ns - span->begin_ns) / (gdouble)length_ns : 0;
    return CLAMP(begin_ns + (gint64)(part * (gdouble)(end_ns - begin_ns)), begin_ns, end_ns);
}

/* Give new times to all events up to the end of a call: earlier ones, those of the call, and those inside it. */
static void follow_call(PredictedTimes *times, Progress *rank, const HieraTimeSpan *span, gint64 begin_ns,
                        gint64 end_ns)
{
    const HieraProcessor *of = &times->run->trace->processors[span->processor];
    Event event = peek_event(times, rank);
    for (; event.row != HIERA_NONE && !(event.begins && event.row == span->row); event = peek_event(times, rank))
        take_event(times, rank, &event, of, begin_ns);
    if (event.row == HIERA_NONE)
        return;
    take_event(times, rank, &event, of, begin_ns);
    for (event = peek_event(times, rank); event.begins || event.row != span->row; event = peek_event(times, rank))
        take_event(times, rank, &event, of, place_in(span, begin_ns, end_ns, event.ns));
    /* The recorded end of a rank's last call may be later than its finalize time: the difference is kept. */
    take_event(times, rank, &event, of, end_ns + MAX(event.ns - MAX(span->end_ns, of->finalize_ns), 0));
}

/* Whether an event is the end of a region of OpenMP at the end of what its first thread computes: there that may wait
 * for the others. */
static gboolean ends_region(const PredictedTimes *times, const Event *event, const HieraTimeSpan *span)
{
    return !event->begins && event->ns == span->end_ns && event->row != span->row &&
           hiera_site_is_openmp(hiera_trace_peek_site(times->run->trace, event->row), "parallel");
}

static void follow_computation(PredictedTimes *times, Progress *rank, const HieraTimeSpan *span, gint64 begin_ns,
                               gint64 end_ns)
{
    const HieraTrace *trace = times->run->trace;
    const HieraProcessor *of = &trace->processors[span->processor];
    for (;;) {
        Event event = peek_event(times, rank);
        if (event.row == HIERA_NONE || event.ns > span->end_ns || ends_region(times, &event, span) ||
            (event.begins && hiera_site_does(hiera_trace_peek_site(trace, event.row)) != HIERA_DOES_COMPUTE))
            return;
        take_event(times, rank, &event, of, place_in(span, begin_ns, end_ns, event.ns));
    }
}

static void follow(gpointer user, const HieraTimeSpan *span, gint64 begin_ps, gint64 end_ps)
{
    PredictedTimes *times = user;
    Progress *rank = &times->ranks[span->processor];
    gint64 begin_ns = times->first_ns + begin_ps / HIERA_PS_PER_NS, end_ns = times->first_ns + end_ps / HIERA_PS_PER_NS;
    if (span->doing == HIERA_DOES_COMPUTE)
        follow_computation(times, rank, span, begin_ns, end_ns);
    else
        follow_call(times, rank, span, begin_ns, end_ns);
}

/* --- other threads --- */

static Progress *find_thread(const PredictedTimes *times, guint32 processor, guint32 number)
{
    gint64 key = key_of(processor, number);
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(times->numbers, &key));
    return place > 0 ? &g_array_index(times->threads, Progress, place - 1) : NULL;
}

/* Take the events of another thread up to a recorded time. What begins between its spans, and ends, gets no time. */
static void take_until(PredictedTimes *times, Progress *thread, const HieraTimeSpan *span, gint64 begin_ns,
                       gint64 end_ns)
{
    const HieraProcessor *of = &times->run->trace->processors[span->processor];
    for (;;) {
        Event event = peek_event(times, thread);
        gboolean between = event.ns < span->begin_ns;
        gint64 new_ns = between ? thread->last_ns : place_in(span, begin_ns, end_ns, event.ns);
        if (event.row == HIERA_NONE || event.ns > span->end_ns)
            return;
        if (event.begins ? between : times->start_ns[event.row] < 0)
            new_ns = -1;
        take_event(times, thread, &event, of, new_ns);
    }
}

static void follow_thread(gpointer user, guint32 number, const HieraTimeSpan *span, gint64 begin_ps, gint64 end_ps)
{
    PredictedTimes *times = user;
    Progress *thread = find_thread(times, span->processor, number);
    gint64 begin_ns = times->first_ns + begin_ps / HIERA_PS_PER_NS, end_ns = times->first_ns + end_ps / HIERA_PS_PER_NS;
    times->has_threads = TRUE;
    if (!thread)
        return;
    take_until(times, thread, span, begin_ns, end_ns);
    thread->last_ns = end_ns;
}

gboolean predicted_times_have_threads(const PredictedTimes *times)
{
    return times->has_threads;
}

SpanFollower predicted_times_follow(PredictedTimes *times)
{
    return (SpanFollower){.span = follow, .of_thread = follow_thread, .user = times};
}

/* --- storing the new times in the trace --- */

/* Give new times to the events recorded after the last span: as long after the rank's finalize time as recorded. */
static void take_rest(PredictedTimes *times, guint32 index, gint64 finalize_ns)
{
    const HieraProcessor *of = &times->run->trace->processors[index];
    Progress *rank = &times->ranks[index];
    for (Event event = peek_event(times, rank); event.row != HIERA_NONE; event = peek_event(times, rank))
        take_event(times, rank, &event, of, finalize_ns + MAX(event.ns - of->finalize_ns, 0));
}

static gint64 *copy_inits(const HieraTrace *trace)
{
    gint64 *init_ns = g_new(gint64, trace->n_processors);
    for (guint32 i = 0; i < trace->n_processors; i++)
        init_ns[i] = trace->processors[i].init_ns;
    return init_ns;
}

/* Set the times of other threads that no span has reached. */
static void settle_threads(PredictedTimes *times)
{
    g_autofree gint64 *init_ns = copy_inits(times->run->trace);
    const HieraNewTimes new_times = {times->start_ns, times->finish_ns, init_ns, times->finalize_ns, NULL, NULL};
    hiera_threads_retime(times->run->trace, &new_times, times->start_ns, times->finish_ns);
}

/* After the simulation, set the ends of all ranks, and the times of the events that no span has reached. */
static void settle(PredictedTimes *times, const HieraSimResult *result)
{
    guint32 n = times->run->trace->n_processors;
    if (times->finalize_ns)
        return;
    times->finalize_ns = g_new(gint64, (gsize)n + 1);
    for (guint32 i = 0; i < n; i++) {
        times->finalize_ns[i] = times->first_ns + result->ranks[i].end_ps / HIERA_PS_PER_NS;
        take_rest(times, i, times->finalize_ns[i]);
    }
    settle_threads(times);
}

void predicted_times_swap(PredictedTimes *times, RecordedRun *run, const HieraSimResult *result)
{
    HieraTrace *trace = run->trace;
    settle(times, result);
    gint64 *start_ns = trace->start_ns, *finish_ns = trace->finish_ns;
    trace->start_ns = times->start_ns;
    trace->finish_ns = times->finish_ns;
    times->start_ns = start_ns;
    times->finish_ns = finish_ns;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        gint64 finalize_ns = trace->processors[i].finalize_ns;
        trace->processors[i].finalize_ns = times->finalize_ns[i];
        times->finalize_ns[i] = finalize_ns;
    }
}

GArray *predicted_times_move_own(PredictedTimes *times, const HieraSimResult *result)
{
    g_autofree gint64 *init_ns = copy_inits(times->run->trace);
    GArray *moved = g_array_copy(times->run->own_time);
    settle(times, result);
    const HieraNewTimes new_times = {times->start_ns, times->finish_ns, init_ns, times->finalize_ns, NULL, NULL};
    hiera_own_times_retime(times->run->trace, &new_times, moved);
    return moved;
}

gboolean predicted_times_write(PredictedTimes *times, const HieraSimResult *result, gboolean moved, const char *note,
                               const char *folder, GError **error)
{
    const HieraTrace *trace = times->run->trace;
    g_autofree gint64 *init_ns = copy_inits(trace);
    const Hosts *hosts = &times->run->hosts;
    g_autofree const char **names = g_new(const char *, trace->n_processors);
    for (guint32 i = 0; i < trace->n_processors; i++)
        names[i] = g_ptr_array_index(hosts->names, hosts->host[i]);
    settle(times, result);
    const HieraNewTimes new_times = {times->start_ns,    times->finish_ns,     init_ns,
                                     times->finalize_ns, moved ? names : NULL, note};
    return hiera_traces_retime(trace, &new_times, folder, error);
}
