/* See script.h. The feeder supplies the same operations as to the simulator, but nothing is simulated. */
#include "script.h"
#include "run/feeder.h"
#include "simulator/schedule/schedule.h"

typedef struct {
    const RecordedRun *run;
    const ScriptWriter *writer;
    const gdouble *speeds;
    guint32 n_speeds;
    HieraSimFeeder source;
    guint32 rank;
    gint64 compute_ps;       /* time of the rank's computation that is not written yet */
    GHashTable *collectives; /* number of a collective's request → GArray of guint64: request numbers of its messages */
    GArray *requests;        /* guint64: request numbers of the wait that is being written */
    guint64 n_numbers; /* number of request numbers given to messages of collectives so far; the next number follows
                          from it */
    guint64 n_one_sided;
} Script;

/* --- writing computation --- */

static void add_computation(Script *script, const HieraSimOperation *operation)
{
    gboolean changed = operation->kind == HIERA_SIM_COMPUTE && operation->class < script->n_speeds;
    gdouble speed = changed ? script->speeds[operation->class] : 1;
    script->compute_ps += speed == 1 ? operation->duration_ps : (gint64)((gdouble)operation->duration_ps / speed + 0.5);
}

static void flush_computation(Script *script)
{
    gint64 ns = script->compute_ps / HIERA_PS_PER_NS;
    if (ns > 0)
        script->writer->compute(script->writer->user, ns);
    script->compute_ps -= ns * HIERA_PS_PER_NS;
}

/* --- writing messages --- */

/* Return the tag of a message: even; those of collectives' messages are odd. Both fit into an int. */
static guint32 tag_of_message(guint64 message)
{
    return (guint32)(message % (1u << 30)) * 2;
}

/* @param part  number of earlier messages of the collective between the same two members */
static guint32 tag_of_part(const Script *script, const HieraSimOperation *operation, guint32 part)
{
    guint64 collective = hiera_match_collective(script->run->match, (guint32)(operation->token - 1));
    return tag_of_message(collective * 4096 + part) + 1;
}

static void write_message(const Script *script, const HieraSimOperation *operation)
{
    const ScriptMessage message = {.sends = operation->kind == HIERA_SIM_SEND,
                                   .peer = (guint32)operation->peer,
                                   .tag = tag_of_message(operation->key - 1),
                                   .bytes = operation->bytes,
                                   .request = operation->request};
    script->writer->message(script->writer->user, &message);
}

static void write_wait(Script *script, const HieraSimOperation *operation)
{
    g_array_set_size(script->requests, 0);
    for (guint32 i = 0; i < operation->n_requests; i++) {
        const GArray *parts = g_hash_table_lookup(script->collectives, &operation->requests[i]);
        if (parts)
            g_array_append_vals(script->requests, parts->data, parts->len);
        else
            g_array_append_val(script->requests, operation->requests[i]);
        g_hash_table_remove(script->collectives, &operation->requests[i]);
    }
    if (script->requests->len > 0)
        script->writer->wait(script->writer->user, (const guint64 *)(const void *)script->requests->data,
                             script->requests->len);
}

/* --- writing collectives as messages --- */

/* What one member of a collective sends and receives, step by step. */
typedef struct {
    const HieraSimOperation *operation;
    const guint32 *ranks;
    Schedule schedule;
    guint32 *sent, *received; /* by member: number of messages that were sent to it and received from it so far */
    guint64 before[2];        /* request numbers of the previous step's messages */
    guint n_before;
    GArray *all; /* guint64: request numbers of the messages of all steps; NULL: the collective blocks */
} Part;

static gboolean part_init(Part *part, const HieraSimOperation *operation, const guint32 *ranks, guint32 n, guint32 rank)
{
    guint32 me = 0, root = 0;
    while (me < n && ranks[me] != rank)
        me++;
    while (root < n && ranks[root] != (guint32)operation->peer)
        root++;
    if (me == n)
        return FALSE;
    *part = (Part){.operation = operation, .ranks = ranks, .sent = g_new0(guint32, n), .received = g_new0(guint32, n)};
    HieraSimAlgorithm algorithm = schedule_choose(HIERA_SIM_AUTOMATIC, operation->collective, n, operation->bytes);
    part->schedule = (Schedule){
        operation->collective, algorithm, n, me, root < n ? root : 0, MIN(operation->bytes, G_MAXINT64 / 4 / n), 0};
    return TRUE;
}

static void part_clear(Part *part)
{
    g_free(part->sent);
    g_free(part->received);
}

/* Return the size of the message received in a step, as its sender says (mostly in its step of the same number). */
static gint64 find_bytes(const Part *part, guint32 from)
{
    Schedule other = part->schedule;
    ScheduleStep step;
    guint32 me = other.me, at = other.step - 1, n = part->received[from];
    other.me = from;
    other.step = at;
    if (schedule_next(&other, &step) && other.step == at + 1 && step.to == me)
        return step.bytes;
    other.step = 0;
    while (schedule_next(&other, &step)) {
        if (step.to == me && n-- == 0)
            return step.bytes;
    }
    return 0;
}

static void write_part(Script *script, Part *part, gboolean sends, guint32 member, gint64 bytes, guint64 *request)
{
    guint32 *n = &(sends ? part->sent : part->received)[member];
    const ScriptMessage message = {.sends = sends,
                                   .peer = part->ranks[member],
                                   .tag = tag_of_part(script, part->operation, *n),
                                   .bytes = bytes,
                                   .request =
                                       request ? (*request = (G_GUINT64_CONSTANT(1) << 62) + script->n_numbers++) : 0,
                                   .after = part->before,
                                   .n_after = part->all ? part->n_before : 0};
    (*n)++;
    script->writer->message(script->writer->user, &message);
}

static void write_step(Script *script, Part *part, const ScheduleStep *step)
{
    gboolean alone = !part->all && (step->to == NOBODY || step->from == NOBODY);
    guint64 requests[2];
    guint n = 0;
    if (step->from != NOBODY)
        write_part(script, part, FALSE, step->from, find_bytes(part, step->from), alone ? NULL : &requests[n++]);
    if (step->to != NOBODY)
        write_part(script, part, TRUE, step->to, step->bytes, alone ? NULL : &requests[n++]);
    if (part->all)
        g_array_append_vals(part->all, requests, n);
    else if (n > 0)
        script->writer->wait(script->writer->user, requests, n);
    part->n_before = n;
    for (guint i = 0; i < n; i++)
        part->before[i] = requests[i];
}

static void keep_requests(Script *script, guint64 number, GArray *requests)
{
    guint64 *key = g_new(guint64, 1);
    *key = number;
    g_hash_table_insert(script->collectives, key, requests);
}

static gboolean is_of_all(const Script *script, const guint32 *ranks, guint32 n)
{
    for (guint32 i = 0; i < n; i++) {
        if (ranks[i] != i)
            return FALSE;
    }
    return n == script->run->trace->n_processors;
}

static void write_collective(Script *script, const HieraSimOperation *operation)
{
    guint32 n;
    const guint32 *ranks = script->source.group(script->source.context, operation->group, &n);
    gboolean whole = operation->request == 0 && is_of_all(script, ranks, n);
    Part part;
    ScheduleStep step;
    if ((whole && script->writer->collective && script->writer->collective(script->writer->user, operation)) ||
        !part_init(&part, operation, ranks, n, script->rank))
        return;
    if (operation->request > 0)
        keep_requests(script, operation->request, part.all = g_array_new(FALSE, FALSE, sizeof(guint64)));
    while (schedule_next(&part.schedule, &step))
        write_step(script, &part, &step);
    part_clear(&part);
}

/* --- writing all operations --- */

static void write_operation(Script *script, const HieraSimOperation *operation)
{
    HieraSimOperation fence = *operation;
    const HieraTrace *trace = script->run->trace;
    guint32 row = (guint32)(operation->token - 1); /* the call's row; unused for computation, which has none */
    switch (operation->kind) {
    case HIERA_SIM_COMPUTE:
    case HIERA_SIM_DELAY:
        add_computation(script, operation);
        return;
    case HIERA_SIM_SEND:
    case HIERA_SIM_RECEIVE:
        flush_computation(script);
        write_message(script, operation);
        return;
    case HIERA_SIM_WAIT:
        flush_computation(script);
        write_wait(script, operation);
        return;
    case HIERA_SIM_FENCE:
        fence.collective = HIERA_SIM_BARRIER;
        fence.bytes = 0;
        break;
    case HIERA_SIM_COLLECTIVE:
        break;
    default:
        script->n_one_sided++;
        script->compute_ps += (trace->finish_ns[row] - trace->start_ns[row]) * HIERA_PS_PER_NS;
        return;
    }
    flush_computation(script);
    write_collective(script, &fence);
}

static void free_requests(gpointer requests)
{
    g_array_unref(requests);
}

static gboolean write_rank(Script *script, guint32 rank, GError **error)
{
    HieraSimOperation operation = {0};
    script->rank = rank;
    script->compute_ps = 0;
    g_hash_table_remove_all(script->collectives);
    if (!script->writer->begin(script->writer->user, rank, error))
        return FALSE;
    while (script->source.next(script->source.context, rank, &operation)) {
        write_operation(script, &operation);
        operation = (HieraSimOperation){0};
    }
    flush_computation(script);
    return script->writer->end(script->writer->user, error);
}

gboolean script_write(const RecordedRun *run, const Speeds *speeds, const ScriptWriter *writer, ScriptLimits *limits,
                      GError **error)
{
    Feeder *feeder = feeder_new(run, speeds, NULL);
    Script script = {.run = run, .writer = writer, .source = feeder_get(feeder)};
    gboolean good = TRUE;
    script.speeds = speeds_peek(speeds, &script.n_speeds);
    script.collectives = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_requests);
    script.requests = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (guint32 rank = 0; good && rank < run->trace->n_processors; rank++)
        good = write_rank(&script, rank, error);
    *limits = (ScriptLimits){feeder_count_kept(feeder), script.n_one_sided};
    g_hash_table_unref(script.collectives);
    g_array_unref(script.requests);
    feeder_free(feeder);
    return good;
}
