/* See call_times.h. Each operation adds its time to its node and subtracts it from its caller's exclusive time, so
 * operations need not be kept. */
#include "call_times.h"
#include "sent_bytes.h"
#include "values/outermost.h"

/* One or several calls of an operation, and the nodes to which their time is added. */
typedef struct {
    guint32 node;     /* node of the operation; HIERA_NONE if it has none of its own */
    guint32 caller;   /* node of the operation's caller */
    guint32 mpi_node; /* node to whose MPI time the time is added; HIERA_NONE: it is no outermost MPI call */
    guint32 thread;
    gint64 start_ns;
    gint64 calls; /* number of calls, all with the same start */
} Span;

/* State of one processor while its operations are read. */
typedef struct {
    const HieraScope *scope;
    HieraCallTree *tree;
    HieraCallCounters *counters; /* values of counters by node; NULL: the scope has no counters */
    GArray *around;              /* guint32 by depth: the node of the last operation at this depth */
    HieraInside mpi;             /* the outermost MPI call around the current operation */
    gint64 finalize_ns;          /* end of the run; HIERA_TIME_OPEN: not known yet */
    gint64 first_ns, last_ns;    /* of the main thread: start of the first operation, end of the last one */
    gint64 mpi_ns;               /* time of the main thread inside MPI */
    gint64 waiting_ns;           /* waiting time of the main thread */
    guint64 first;               /* row of the processor's first operation, used with HieraScope.waiting */
    guint32 threads;             /* node HIERA_CALL_THREADS, the parent of operations of further threads; 0: not made */
    GArray *open;                /* Span: operations whose end is not in the trace */
    HieraSentBytes *sent;        /* bytes that persistent requests send at each start */
    HieraCallSequence *calls;    /* calls of the main thread in their order; NULL if they are not kept */
    gboolean closed;             /* TRUE if the tree is complete: nothing more is added to it */
} State;

/* Limit of memory for the calls of all ranks. Each rank gets an equal part of it, at most 1/LEAST_PARTS. */
#define CALLS_BYTES_MAX ((gsize)256 << 20)
enum { LEAST_PARTS = 16 };

static void clear_rank_calls(gpointer data)
{
    HieraRankCalls *one = data;
    hiera_call_sequence_free(one->calls);
    g_free(one->nodes);
}

gpointer hiera_call_times_open(const HieraScope *scope)
{
    HieraCallTimes *times = g_new0(HieraCallTimes, 1);
    times->tree = hiera_call_tree_new();
    times->counters = hiera_call_counters_new(scope);
    times->calls = g_array_new(FALSE, FALSE, sizeof(HieraRankCalls));
    g_array_set_clear_func(times->calls, clear_rank_calls);
    return times;
}

void hiera_call_times_free(HieraCallTimes *times)
{
    hiera_call_tree_free(times->tree);
    hiera_call_counters_free(times->counters);
    g_array_unref(times->calls);
    g_free(times);
}

gpointer hiera_call_times_begin(const HieraScope *scope, const HieraProcessor *processor)
{
    State *state = g_new0(State, 1);
    *state = (State){.scope = scope,
                     .mpi = HIERA_OUTSIDE,
                     .finalize_ns = processor->cut ? HIERA_TIME_OPEN : processor->finalize_ns,
                     .first_ns = processor->init_ns,
                     .last_ns = G_MININT64,
                     .first = processor->first};
    state->tree = hiera_call_tree_new();
    state->counters = hiera_call_counters_new(scope);
    state->around = g_array_new(FALSE, FALSE, sizeof(guint32));
    state->open = g_array_new(FALSE, FALSE, sizeof(Span));
    return state;
}

gpointer hiera_call_times_begin_with_calls(const HieraScope *scope, const HieraProcessor *processor)
{
    State *state = hiera_call_times_begin(scope, processor);
    state->calls = hiera_call_sequence_new(CALLS_BYTES_MAX / (gsize)MAX(processor->size, LEAST_PARTS));
    return state;
}

static HieraCallSums *sums_of(State *state, guint32 node)
{
    return &hiera_call_tree_peek(state->tree, node)->sums;
}

/* Add a time to the nodes of a span. @param time_ns  of all its calls, the last of which ended at finish_ns */
static void add_time(State *state, const Span *span, gint64 time_ns, gint64 finish_ns)
{
    if (span->node != HIERA_NONE) {
        HieraCallSums *sums = sums_of(state, span->node), *around = sums_of(state, span->caller);
        sums->inclusive = hiera_plus(sums->inclusive, time_ns);
        sums->exclusive = hiera_plus(sums->exclusive, time_ns);
        around->exclusive = hiera_minus(around->exclusive, time_ns);
    }
    if (span->mpi_node != HIERA_NONE)
        sums_of(state, span->mpi_node)->mpi = hiera_plus(sums_of(state, span->mpi_node)->mpi, time_ns);
    if (span->mpi_node != HIERA_NONE && span->thread == 0)
        state->mpi_ns = hiera_plus(state->mpi_ns, time_ns);
    if (span->thread == 0)
        state->last_ns = MAX(state->last_ns, finish_ns);
}

static void add_span(State *state, const Span *span, gint64 finish_ns)
{
    gint64 time_ns, each_ns = hiera_scope_clip(state->scope, span->start_ns, finish_ns);
    if (__builtin_mul_overflow(each_ns, span->calls, &time_ns))
        time_ns = HIERA_TOO_LARGE;
    add_time(state, span, time_ns, finish_ns);
}

/* Return the node of callers at depth 0: the processor; in further threads, their common node. If the scope selects
 * operations, this common node is made only for selected ones: until then it is HIERA_NONE. */
static guint32 find_outermost(State *state, guint32 thread)
{
    if (thread == 0)
        return 0;
    return hiera_scope_has_units(state->scope)
               ? HIERA_NONE
               : (state->threads = hiera_call_tree_find(state->tree, 0, HIERA_CALL_THREADS));
}

/* Return the node of an operation below its caller's node; `caller` becomes HIERA_CALL_THREADS if it was HIERA_NONE. */
static guint32 find_own(State *state, guint32 *caller, const HieraSite *site)
{
    if (*caller == HIERA_NONE)
        *caller = state->threads = hiera_call_tree_find(state->tree, 0, HIERA_CALL_THREADS);
    return hiera_call_tree_find(state->tree, *caller, site->id);
}

/* Return the node of an operation's caller. Callers of sums may be missing in the trace: then it is the node of depth
 * 0. */
static guint32 find_caller(State *state, guint32 depth, guint32 thread)
{
    if (depth == 0)
        return find_outermost(state, thread);
    while (state->around->len < depth) {
        guint32 node = find_outermost(state, thread);
        g_array_append_val(state->around, node);
    }
    return g_array_index(state->around, guint32, depth - 1);
}

/* Count an operation and its bytes if it starts within the scope's times.
 * @param own  TRUE if the node is that of the operation itself */
static void add_calls(State *state, guint32 node, const HieraOperation *operation, gboolean own)
{
    gint64 bytes = hiera_sent_bytes_of(&state->sent, operation->site, operation->requests, operation->n_requests,
                                       operation->bytes);
    if (node == HIERA_NONE || !hiera_scope_accepts_time(state->scope, operation->start_ns))
        return;
    HieraCallSums *sums = sums_of(state, node);
    sums->calls += own;
    sums->bytes = hiera_plus(sums->bytes, bytes);
}

static void add_waiting(State *state, guint32 node, const HieraOperation *operation)
{
    gint64 waiting_ns = state->scope->waiting[state->first + operation->index];
    sums_of(state, node)->waiting = hiera_plus(sums_of(state, node)->waiting, waiting_ns);
    if (operation->thread == 0)
        state->waiting_ns = hiera_plus(state->waiting_ns, waiting_ns);
}

static gboolean keeps_call(const State *state, const HieraOperation *operation)
{
    return state->calls && operation->thread == 0 && hiera_scope_accepts_time(state->scope, operation->start_ns);
}

void hiera_call_times_operation(gpointer data, const HieraOperation *operation)
{
    State *state = data;
    guint32 caller = find_caller(state, operation->depth, operation->thread), node = caller;
    gboolean own = hiera_scope_accepts_operation(state->scope, operation) &&
                   hiera_scope_touches(state->scope, operation->start_ns, operation->finish_ns);
    if (own)
        node = find_own(state, &caller, operation->site);
    g_array_set_size(state->around, operation->depth + 1);
    g_array_index(state->around, guint32, operation->depth) = node;
    hiera_call_counters_note(state->counters, operation, own ? node : HIERA_NONE);
    Span span = {own ? node : HIERA_NONE, caller, HIERA_NONE, operation->thread, operation->start_ns, 1};
    if (!hiera_inside_holds(&state->mpi, operation->depth, operation->thread) && operation->site->mpi) {
        hiera_inside_enter(&state->mpi, operation->depth, operation->thread);
        span.mpi_node = node;
        if (state->scope->waiting && node != HIERA_NONE)
            add_waiting(state, node, operation);
    }
    add_calls(state, node, operation, own);
    if (own && keeps_call(state, operation))
        hiera_call_sequence_append(state->calls, node);
    state->first_ns = operation->thread == 0 ? MIN(state->first_ns, operation->start_ns) : state->first_ns;
    if (operation->finish_ns == HIERA_TIME_OPEN)
        g_array_append_val(state->open, span);
    else
        add_span(state, &span, operation->finish_ns);
}

static void add_summed_time(State *state, const HieraSummed *summed, Span *span)
{
    if (summed->last_ns != HIERA_TIME_OPEN)
        add_time(state, span, summed->time_ns, summed->last_ns);
    span->start_ns = summed->open_since_ns;
    span->calls = summed->open;
    if (summed->open > 0)
        g_array_append_val(state->open, *span);
}

void hiera_call_times_pass(gpointer data, const HieraSummed *summed)
{
    State *state = data;
    guint32 caller = find_caller(state, summed->depth, summed->thread);
    g_array_set_size(state->around, summed->depth);
    g_array_append_val(state->around, caller);
}

static void add_measured(State *state, HieraCallSums *sums, const HieraSummed *summed)
{
    gint64 waiting_ns = hiera_summed_waiting(summed);
    sums->waiting = hiera_plus(sums->waiting, waiting_ns);
    if (summed->thread == 0)
        state->waiting_ns = hiera_plus(state->waiting_ns, waiting_ns);
}

static void add_sums(State *state, HieraCallSums *sums, const HieraSummed *summed, gboolean own)
{
    sums->calls = hiera_plus(sums->calls, own ? summed->calls : 0);
    sums->bytes = hiera_plus(sums->bytes, hiera_sent_bytes_of_summed(summed));
    if (state->scope->waiting)
        add_measured(state, sums, summed);
}

/* Add an operation that stands for several calls. They are not cut to the scope's times; waits are measured. */
void hiera_call_times_summed(gpointer data, const HieraSummed *summed)
{
    State *state = data;
    guint32 caller = find_caller(state, summed->depth, summed->thread), node = caller;
    gboolean own = hiera_scope_accepts_summed(state->scope, summed);
    if (own)
        node = find_own(state, &caller, summed->site);
    g_array_set_size(state->around, summed->depth + 1);
    g_array_index(state->around, guint32, summed->depth) = node;
    hiera_call_counters_note_summed(state->counters, summed->depth, own ? node : HIERA_NONE);
    Span span = {own ? node : HIERA_NONE, caller, HIERA_NONE, summed->thread, 0, 0};
    if (!hiera_inside_holds(&state->mpi, summed->depth, summed->thread) && summed->site->mpi) {
        hiera_inside_enter(&state->mpi, summed->depth, summed->thread);
        span.mpi_node = node;
    }
    if (node != HIERA_NONE)
        add_sums(state, sums_of(state, node), summed, own);
    if (summed->thread == 0)
        state->first_ns = MIN(state->first_ns, summed->first_ns);
    add_summed_time(state, summed, &span);
}

/* Add calls that a filter removed, below a node of their own. Their callers are unknown, so their time also stays in
 * the exclusive time of the callers. */
void hiera_call_times_filtered(gpointer data, const HieraFiltered *filtered)
{
    State *state = data;
    guint32 counted = hiera_call_tree_find(state->tree, 0, HIERA_CALL_COUNTED);
    guint32 node = hiera_call_tree_find(state->tree, counted, filtered->site->id);
    HieraCallSums *sums = sums_of(state, node), *all = sums_of(state, counted);
    gint64 mpi_ns = filtered->site->mpi ? filtered->time_ns : 0;
    sums->calls = hiera_plus(sums->calls, filtered->count);
    sums->inclusive = hiera_plus(sums->inclusive, filtered->time_ns);
    sums->exclusive = hiera_plus(sums->exclusive, filtered->time_ns);
    sums->mpi = hiera_plus(sums->mpi, mpi_ns);
    sums->bytes = hiera_plus(sums->bytes, hiera_site_gives(filtered->site) ? MAX(filtered->bytes, 0) : 0);
    all->inclusive = hiera_plus(all->inclusive, filtered->time_ns);
    state->mpi_ns = hiera_plus(state->mpi_ns, filtered->thread == 0 ? mpi_ns : 0);
}

void hiera_call_times_counted(gpointer data, const HieraCounted *counted)
{
    hiera_call_counters_add(((State *)data)->counters, counted);
}

/* Add a time that the collector took, as a child HIERA_CALL_OWN of the operation around it. */
void hiera_call_times_own_time(gpointer data, const HieraOwnTime *own)
{
    State *state = data;
    guint32 caller = find_caller(state, own->depth, 0);
    Span span = {HIERA_NONE, caller, HIERA_NONE, 0, MAX(own->start_ns, state->first_ns), 1};
    gint64 finish_ns = MIN(own->finish_ns, state->finalize_ns);
    if (hiera_scope_clip(state->scope, span.start_ns, finish_ns) == 0)
        return;
    span.node = hiera_call_tree_find(state->tree, caller, HIERA_CALL_OWN);
    sums_of(state, span.node)->calls++;
    add_span(state, &span, finish_ns);
}

/* Complete the tree of a processor. Its own time is from its first operation or MPI_Init, whichever is earlier, to
 * its last operation or MPI_Finalize, whichever is later. */
static void close_processor(State *state, const HieraProcessor *processor)
{
    if (state->closed)
        return;
    state->closed = TRUE;
    for (guint i = 0; i < state->open->len; i++)
        add_span(state, &g_array_index(state->open, Span, i), processor->finalize_ns);
    gint64 time_ns = hiera_scope_clip(state->scope, state->first_ns, MAX(state->last_ns, processor->finalize_ns));
    if (state->threads != 0) {
        sums_of(state, state->threads)->inclusive = hiera_minus(0, sums_of(state, state->threads)->exclusive);
        sums_of(state, state->threads)->exclusive = 0;
    }
    hiera_call_tree_sum(state->tree);
    HieraCallSums *sums = sums_of(state, 0);
    sums->calls = 1;
    sums->inclusive = time_ns;
    sums->exclusive = hiera_plus(sums->exclusive, time_ns);
    sums->mpi = state->mpi_ns;
    sums->waiting = state->waiting_ns;
}

void hiera_call_times_pack(gpointer data, const HieraProcessor *processor, HieraPacker *to)
{
    State *state = data;
    close_processor(state, processor);
    hiera_call_tree_pack(state->tree, to);
    hiera_call_counters_pack(state->counters, to);
    hiera_pack_number(to, state->calls != NULL);
    if (state->calls)
        hiera_call_sequence_pack(state->calls, to);
}

gpointer hiera_call_times_unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    State *state = hiera_call_times_begin(scope, processor);
    hiera_call_tree_free(state->tree);
    state->tree = hiera_call_tree_unpack(from);
    hiera_call_counters_unpack(state->counters, from);
    if (hiera_unpack_number(from))
        state->calls = hiera_call_sequence_unpack(from);
    state->closed = TRUE;
    return state;
}

static void keep_calls(HieraCallTimes *times, State *state, guint32 rank, guint32 *nodes)
{
    HieraRankCalls one = {rank, g_steal_pointer(&state->calls), nodes};
    hiera_call_sequence_finish(one.calls);
    g_array_append_val(times->calls, one);
}

void hiera_call_times_merge(gpointer data, gpointer one, const HieraProcessor *processor, gboolean keep)
{
    HieraCallTimes *times = data;
    State *state = one;
    if (keep) {
        close_processor(state, processor);
        g_autofree guint32 *nodes = hiera_call_tree_merge(times->tree, state->tree, processor->rank);
        hiera_call_counters_merge(times->counters, state->counters, nodes);
        if (state->calls)
            keep_calls(times, state, processor->rank, g_steal_pointer(&nodes));
    }
    hiera_call_tree_free(state->tree);
    hiera_call_counters_free(state->counters);
    g_array_unref(state->around);
    g_array_unref(state->open);
    hiera_sent_bytes_clear(&state->sent);
    hiera_call_sequence_free(state->calls);
    g_free(state);
}
