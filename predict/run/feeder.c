/* See feeder.h. Threads of a rank besides its main thread are ranks of the simulator behind all others. The feeder
 * reads the timeline of each rank span by span; a rank's queue has few operations. */
#include "feeder.h"
#include "fed_rank.h"

/* Length of computation between two unsuccessful tests up to which it counts as part of the test loop: it is not
 * repeated, however often the loop tests. */
enum { POLLING_NS = 10000, MOST_QUEUED = 64 };

/* What is in memory of the run: all of it, or one of the parts in which it is read. */
typedef struct FedPart {
    const RecordedRun *run;
    const Speeds *speeds; /* factors on computation, decided for this part */
    Calls calls;
    guint32 n_ranks; /* number of ranks that are in this part now */
    struct FedPart *next;
} FedPart;

/* Which sum the time of an operation is added to: indices of part_ps. */
enum { BEFORE_BEGIN, COMPUTES, IN_MPI };

struct Feeder {
    RunParts *parts; /* the run that is read in parts; NULL: the whole run is in memory */
    Speeds *speeds;  /* factors on computation, to be decided for each part; NULL if there are no parts */
    GroupNumbers *numbers;
    gboolean rematch;
    FedRank *ranks;
    guint32 n_ranks, n_threads; /* number of ranks, and of their threads: the main threads come first */
    GPtrArray *acts;            /* GPtrArray by rank: the acts of its threads; NULL: it has one */
    guint32 *owner;             /* by thread: its rank */
    SpanFollower follower;
};

/* --- spans become operations --- */

static HieraSimOperation *peek_last(const FedRank *rank)
{
    return rank->room.queue->len > rank->held_from
               ? &g_array_index(rank->room.queue, HieraSimOperation, rank->room.queue->len - 1)
               : NULL;
}

static void append_compute(FedRank *rank, const HieraTimeSpan *span)
{
    guint32 class = speeds_class(rank->part->speeds, span);
    gint64 duration_ns = span->end_ns - span->begin_ns;
    HieraSimOperation *last = peek_last(rank);
    rank->held_ns += duration_ns;
    rank->polling = rank->polling && rank->held_ns <= POLLING_NS;
    if (last && last->kind == HIERA_SIM_COMPUTE && last->class == class) {
        last->duration_ps += duration_ns * HIERA_PS_PER_NS;
        fed_rank_note_span(rank, span, rank->room.queue->len - 1);
        return;
    }
    const HieraSimOperation operation = {
        .kind = HIERA_SIM_COMPUTE, .class = class, .duration_ps = duration_ns * HIERA_PS_PER_NS};
    g_array_append_val(rank->room.queue, operation);
    fed_rank_note_span(rank, span, rank->room.queue->len - 1);
}

static void append_call(FedRank *rank, const HieraTimeSpan *span)
{
    Calls *calls = &rank->part->calls;
    if (rank->polling && calls_is_test(calls, span->row))
        fed_rank_drop_held(rank);
    rank->polling = calls_is_in_vain(calls, span->row);
    rank->held_from = rank->room.queue->len;
    rank->held_ns = 0;
    if (!rank->polling)
        calls_append(calls, span->row, span->end_ns - span->begin_ns, &rank->room);
    fed_rank_note_span(rank, span, rank->held_from);
}

static void append_io(FedRank *rank, const HieraTimeSpan *span)
{
    const HieraSimOperation operation = {.kind = HIERA_SIM_DELAY,
                                         .token = (guint64)span->row + 1,
                                         .duration_ps = (span->end_ns - span->begin_ns) * HIERA_PS_PER_NS};
    rank->polling = FALSE;
    g_array_append_val(rank->room.queue, operation);
    fed_rank_note_span(rank, span, rank->room.queue->len - 1);
}

/* --- runs that are read in parts --- */

static FedPart *part_new(const Feeder *feeder, const RecordedRun *run, const Speeds *speeds)
{
    FedPart *part = g_new0(FedPart, 1);
    part->run = run;
    part->speeds = speeds;
    calls_init(&part->calls, run, feeder->numbers);
    return part;
}

static FedPart *part_of_several(const Feeder *feeder, RecordedRun *run)
{
    Speeds *speeds = speeds_fork(feeder->speeds);
    speeds_decide(speeds, run->trace, run->match);
    return part_new(feeder, run, speeds);
}

/* Free a part of the run in which no rank is any longer. */
static void part_free(const Feeder *feeder, FedPart *part)
{
    calls_clear(&part->calls);
    if (feeder->parts) {
        run_parts_free_part((RecordedRun *)part->run);
        speeds_free((Speeds *)part->speeds);
    }
    g_free(part);
}

static void enter(FedRank *rank, guint32 index, FedPart *part)
{
    rank->part = part;
    part->n_ranks++;
    if (!rank->acts)
        hiera_timeline_open(&rank->line, part->run->trace, index);
}

static void leave(const Feeder *feeder, FedRank *rank)
{
    if (!rank->acts)
        hiera_timeline_close(&rank->line);
    if (--rank->part->n_ranks == 0)
        part_free(feeder, rank->part);
}

/* @return NULL if there is no further part, or if one of its collectives is not known, which would not make ranks wait
 * for each other */
static FedPart *read_part(const Feeder *feeder)
{
    RecordedRun *run = run_parts_next(feeder->parts);
    FedPart *part = run ? part_of_several(feeder, run) : NULL;
    if (!part || groups_are_known(part->calls.groups))
        return part;
    run_parts_give_up(feeder->parts);
    part_free(feeder, part);
    return NULL;
}

static gboolean go_to_next_part(const Feeder *feeder, FedRank *rank)
{
    if (!rank->part->next && feeder->parts)
        rank->part->next = read_part(feeder);
    FedPart *next = rank->part->next;
    if (!next)
        return FALSE;
    leave(feeder, rank);
    enter(rank, (guint32)(rank - feeder->ranks), next);
    return TRUE;
}

/* Append a gate, which is in the place of a span. */
static void append_gate(FedRank *rank, const Act *act)
{
    const HieraSimOperation operation = {.kind = HIERA_SIM_GATE,
                                         .gate = act->gate,
                                         .adds = act->adds,
                                         .needs = act->needs,
                                         .takes = act->takes,
                                         .duration_ps = act->after_ns * HIERA_PS_PER_NS};
    rank->polling = FALSE;
    g_array_append_val(rank->room.queue, operation);
    if (act_span_ns(act) > 0)
        fed_rank_note_span(rank, &act->span, rank->room.queue->len - 1);
}

/* Return the next span; NULL if there is none, or another act. */
static const HieraTimeSpan *next_span(FedRank *rank)
{
    if (!rank->acts)
        return hiera_timeline_next(&rank->line);
    const Act *act = rank->act < rank->acts->len ? &g_array_index(rank->acts, Act, rank->act) : NULL;
    rank->act += act != NULL;
    if (!act || act->kind == ACT_SPAN)
        return act ? &act->span : NULL;
    append_gate(rank, act);
    return NULL;
}

static void take_span(Feeder *feeder, FedRank *rank)
{
    gboolean has_more = rank->acts && rank->act < rank->acts->len;
    const HieraTimeSpan *span = next_span(rank);
    if (!span)
        rank->ended = !has_more && !go_to_next_part(feeder, rank);
    else if (span->doing == HIERA_DOES_COMPUTE)
        append_compute(rank, span);
    else if (span->doing == HIERA_DOES_IO)
        append_io(rank, span);
    else
        append_call(rank, span);
}

/* Whether to read another span before the queue is used: the last span computes, and the next may continue it. */
static gboolean wants_more(const FedRank *rank)
{
    const GArray *queue = rank->room.queue;
    if (rank->ended)
        return FALSE;
    return queue->len == 0 || (queue->len < MOST_QUEUED &&
                               g_array_index(queue, HieraSimOperation, queue->len - 1).kind == HIERA_SIM_COMPUTE);
}

static gboolean next(gpointer context, guint32 index, HieraSimOperation *operation)
{
    Feeder *feeder = context;
    FedRank *rank = &feeder->ranks[index];
    if (rank->n_read == rank->room.queue->len) {
        if (rank->spans)
            fed_rank_tell_spans(rank, &feeder->follower, index < feeder->n_ranks);
        g_array_set_size(rank->room.queue, 0);
        rank->n_read = rank->held_from = 0;
        while (wants_more(rank))
            take_span(feeder, rank);
    }
    if (rank->n_read == rank->room.queue->len) {
        if (rank->spans)
            fed_rank_tell_spans(rank, &feeder->follower, index < feeder->n_ranks);
        return FALSE;
    }
    *operation = g_array_index(rank->room.queue, HieraSimOperation, rank->n_read++);
    return TRUE;
}

static void done(gpointer context, guint32 index, const HieraSimOperation *operation, const HieraSimTimes *times)
{
    const Feeder *feeder = context;
    FedRank *rank = &feeder->ranks[index];
    const Calls *calls = &rank->part->calls;
    guint part = operation->kind == HIERA_SIM_COMPUTE || operation->kind == HIERA_SIM_GATE ? COMPUTES
                 : operation->token > 0                                                    ? IN_MPI
                                                                                           : BEFORE_BEGIN;
    rank->part_ps[part] += times->end_ps - times->start_ps;
    rank->waiting_ps += times->waiting_ps;
    rank->at_ps = times->end_ps;
    if (rank->spans)
        fed_rank_note_times(rank, times);
    if (operation->kind == HIERA_SIM_WAIT && operation->token > 0 &&
        calls_choose(calls, (guint32)(operation->token - 1)))
        choices_end(calls->choices, (guint32)(operation->token - 1), times->completed, times->n_completed);
    if (feeder->follower.waited && operation->token > 0)
        feeder->follower.waited(feeder->follower.user, (guint32)(operation->token - 1), times->waiting_ps);
}

static void matched(gpointer context, guint32 source, guint64 send_token, guint32 dest, guint64 receive_token)
{
    (void)source;
    calls_note_match(&((Feeder *)context)->ranks[dest].part->calls, (guint32)(send_token - 1),
                     (guint32)(receive_token - 1));
}

static const guint32 *group(gpointer context, guint32 number, guint32 *n)
{
    return group_numbers_peek_ranks(((const Feeder *)context)->numbers, number, n);
}

/* --- making the feeder --- */

/* Append a delay, so that a rank begins as long after the first rank as recorded. */
static void append_begin(FedRank *rank, gint64 after_ns)
{
    const HieraSimOperation operation = {.kind = HIERA_SIM_DELAY, .duration_ps = after_ns * HIERA_PS_PER_NS};
    g_array_append_val(rank->room.queue, operation);
}

static Feeder *make(const RecordedRun *run)
{
    Feeder *feeder = g_new0(Feeder, 1);
    feeder->numbers = group_numbers_new();
    feeder->rematch = run->rematch;
    feeder->n_ranks = feeder->n_threads = run->trace->n_processors;
    feeder->acts = g_ptr_array_new();
    return feeder;
}

static void find_acts(Feeder *feeder, const RecordedRun *run, ActsFound *found)
{
    for (guint32 i = 0; i < feeder->n_ranks; i++) {
        GPtrArray *acts = thread_acts_find(found, run, i);
        g_ptr_array_add(feeder->acts, acts);
        feeder->n_threads += acts ? acts->len - 1 : 0;
    }
}

/* Make all threads, and give them their acts. */
static void make_threads(Feeder *feeder)
{
    guint32 next = feeder->n_ranks;
    feeder->ranks = g_new0(FedRank, feeder->n_threads);
    feeder->owner = g_new(guint32, feeder->n_threads);
    for (guint32 i = 0; i < feeder->n_ranks; i++) {
        const GPtrArray *acts = i < feeder->acts->len ? g_ptr_array_index(feeder->acts, i) : NULL;
        feeder->owner[i] = i;
        for (guint k = 0; acts && k < acts->len; k++) {
            guint32 thread = k == 0 ? i : next++;
            feeder->ranks[thread].acts = g_ptr_array_index(acts, k);
            feeder->owner[thread] = i;
        }
    }
}

static void begin(Feeder *feeder, FedPart *part)
{
    const HieraProcessor *processors = part->run->trace->processors;
    gint64 first_ns = G_MAXINT64;
    make_threads(feeder);
    for (guint32 i = 0; i < feeder->n_ranks; i++)
        first_ns = MIN(first_ns, processors[i].init_ns);
    for (guint32 i = 0; i < feeder->n_threads; i++) {
        FedRank *rank = &feeder->ranks[i];
        enter(rank, i, part);
        rank->room = (CallRoom){g_array_new(FALSE, FALSE, sizeof(HieraSimOperation)),
                                g_array_new(FALSE, FALSE, sizeof(guint64)), g_array_new(FALSE, FALSE, sizeof(guint32))};
        append_begin(rank, processors[feeder->owner[i]].init_ns - first_ns);
    }
}

Feeder *feeder_new(const RecordedRun *run, const Speeds *speeds, ActsFound *found)
{
    Feeder *feeder = make(run);
    if (found)
        find_acts(feeder, run, found);
    begin(feeder, part_new(feeder, run, speeds));
    return feeder;
}

Feeder *feeder_new_of_parts(RunParts *parts, RecordedRun *first, Speeds *speeds)
{
    Feeder *feeder = make(first);
    feeder->parts = parts;
    feeder->speeds = speeds;
    FedPart *part = part_of_several(feeder, first);
    if (!groups_are_known(part->calls.groups))
        run_parts_give_up(parts);
    begin(feeder, part);
    return feeder;
}

const guint32 *feeder_peek_owners(const Feeder *feeder, guint32 *n)
{
    *n = feeder->n_threads;
    return feeder->owner;
}

void feeder_free(Feeder *feeder)
{
    for (guint32 i = 0; i < feeder->n_threads; i++) {
        FedRank *rank = &feeder->ranks[i];
        leave(feeder, rank);
        g_array_unref(rank->room.queue);
        g_array_unref(rank->room.numbers);
        g_array_unref(rank->room.peers);
        g_clear_pointer(&rank->spans, g_array_unref);
        g_clear_pointer(&rank->times, g_array_unref);
    }
    for (guint i = 0; i < feeder->acts->len; i++) {
        if (feeder->acts->pdata[i])
            g_ptr_array_unref(feeder->acts->pdata[i]);
    }
    g_ptr_array_unref(feeder->acts);
    g_free(feeder->owner);
    group_numbers_free(feeder->numbers);
    g_free(feeder->ranks);
    g_free(feeder);
}

void feeder_follow(Feeder *feeder, const SpanFollower *follower)
{
    feeder->follower = *follower;
    for (guint32 i = 0; follower->span && i < (follower->of_thread ? feeder->n_threads : feeder->n_ranks); i++) {
        feeder->ranks[i].spans = g_array_new(FALSE, FALSE, sizeof(FollowedSpan));
        feeder->ranks[i].times = g_array_new(FALSE, FALSE, sizeof(FollowedTimes));
    }
}

HieraSimFeeder feeder_get(Feeder *feeder)
{
    return (HieraSimFeeder){.next = next,
                            .done = done,
                            .group = group,
                            .wildcards = feeder->rematch,
                            .matched = feeder->rematch ? matched : NULL,
                            .context = feeder};
}

guint64 feeder_count_kept(const Feeder *feeder)
{
    return feeder->ranks[0].part->calls.n_kept;
}

guint64 feeder_count_rematched(const Feeder *feeder, guint64 *n_others)
{
    const Calls *calls = &feeder->ranks[0].part->calls;
    *n_others = calls->n_others;
    return calls->rematch ? rematch_count(calls->rematch) : 0;
}

RankTimes feeder_sum(const Feeder *feeder, guint32 index)
{
    const FedRank *rank = &feeder->ranks[index];
    gint64 compute = rank->part_ps[COMPUTES] / HIERA_PS_PER_NS, mpi = rank->part_ps[IN_MPI] / HIERA_PS_PER_NS;
    return (RankTimes){compute + mpi, compute, mpi, rank->waiting_ps / HIERA_PS_PER_NS};
}
