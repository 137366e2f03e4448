/* Random runs of eager messages, held against a second computation: the operations are made in an order in which each
 * message is sent before it is received, so the formulas of LogGP can be followed one operation after the other.
 * However messages are matched, the times are the same. */
#include "play.h"

enum { N_RANKS = 12, N_STEPS = 1500, N_RUNS = 30 };

typedef enum { BY_KEY, BY_TAG, BY_CHANNEL, BY_ARRIVAL, N_WAYS } Way;

typedef struct {
    GArray *operations[N_RANKS]; /* HieraSimOperation */
    guint next[N_RANKS];
    guint64 requests[N_RANKS];
    gint64 now_ps[N_RANKS], out_free_ps[N_RANKS]; /* of the second computation */
    gint64 end_ps[N_RANKS];                       /* of the simulation */
    Way way;
} RandomRun;

/* A message that was sent and not received. */
typedef struct {
    guint32 from, to, number;
    gint64 arrival_ps;
    gboolean posted; /* its receive was posted */
} Sent;

static HieraSimOperation *add(RandomRun *run, guint32 rank, HieraSimKind kind)
{
    const HieraSimOperation operation = {.kind = kind};
    g_array_append_val(run->operations[rank], operation);
    return &g_array_index(run->operations[rank], HieraSimOperation, run->operations[rank]->len - 1);
}

static void add_message_part(RandomRun *run, guint32 rank, HieraSimKind kind, guint32 peer, guint32 number,
                             gint64 bytes, gboolean blocks)
{
    HieraSimOperation *operation = add(run, rank, kind);
    operation->peer = (gint32)peer;
    operation->key = run->way == BY_KEY ? number : 0;
    operation->tag = run->way == BY_TAG ? (gint32)number : 0;
    operation->bytes = bytes;
    operation->request = blocks ? 0 : number;
}

static void compute(RandomRun *run, GRand *chance)
{
    guint32 rank = (guint32)g_rand_int_range(chance, 0, N_RANKS);
    gint64 duration_ps = g_rand_int_range(chance, 0, 500);
    add(run, rank, HIERA_SIM_COMPUTE)->duration_ps = duration_ps;
    run->now_ps[rank] += duration_ps;
}

static void send(RandomRun *run, GRand *chance, const HieraNetwork *network, GArray *sent)
{
    Sent message = {(guint32)g_rand_int_range(chance, 0, N_RANKS), (guint32)g_rand_int_range(chance, 0, N_RANKS),
                    sent->len + 1, 0, FALSE};
    gint64 bytes = g_rand_int_range(chance, 0, (gint32)network->eager_bytes + 1);
    gint64 *free_ps = &run->out_free_ps[message.from];
    add_message_part(run, message.from, HIERA_SIM_SEND, message.to, message.number, bytes, TRUE);
    run->now_ps[message.from] += network->send_overhead_ps;
    gint64 begin_ps = MAX(run->now_ps[message.from], *free_ps),
           left_ps = begin_ps + bytes * (gint64)network->ps_per_byte;
    *free_ps = left_ps + network->gap_ps;
    message.arrival_ps = left_ps + (message.from == message.to ? 0 : network->latency_ps);
    g_array_append_val(sent, message);
}

/* Receive a message, at once, or in a wait for its request. */
static void receive(RandomRun *run, const HieraNetwork *network, Sent *message, gboolean blocks)
{
    guint32 rank = message->to;
    if (blocks || !message->posted)
        add_message_part(run, rank, HIERA_SIM_RECEIVE, message->from, message->number, 0, blocks);
    message->posted = TRUE;
    if (blocks)
        run->now_ps[rank] = MAX(run->now_ps[rank], message->arrival_ps) + network->receive_overhead_ps;
}

static void wait_for(RandomRun *run, const HieraNetwork *network, const Sent *message)
{
    HieraSimOperation *operation = add(run, message->to, HIERA_SIM_WAIT);
    operation->n_requests = 1;
    operation->token = message->number;
    run->now_ps[message->to] = MAX(run->now_ps[message->to], message->arrival_ps) + network->receive_overhead_ps;
}

static void make(RandomRun *run, GRand *chance, const HieraNetwork *network)
{
    g_autoptr(GArray) sent = g_array_new(FALSE, FALSE, sizeof(Sent));
    guint n_posted = 0, n_received = 0; /* messages are posted, and received, in the order in which they were sent */
    for (guint i = 0; i < N_STEPS || n_received < sent->len; i++) {
        guint what = (guint)g_rand_int_range(chance, i < N_STEPS ? 0 : 2, 4);
        if (what == 0)
            compute(run, chance);
        else if (what == 1)
            send(run, chance, network, sent);
        else if (what == 2 && n_posted < sent->len)
            receive(run, network, &g_array_index(sent, Sent, n_posted++), FALSE);
        else if (what == 3 && n_received < n_posted)
            wait_for(run, network, &g_array_index(sent, Sent, n_received++));
        else if (what == 3 && n_posted < sent->len) {
            receive(run, network, &g_array_index(sent, Sent, n_posted++), TRUE);
            n_received = n_posted;
        }
    }
}

static gboolean next(gpointer context, guint32 rank, HieraSimOperation *operation)
{
    RandomRun *run = context;
    if (run->next[rank] == run->operations[rank]->len)
        return FALSE;
    *operation = g_array_index(run->operations[rank], HieraSimOperation, run->next[rank]++);
    run->requests[rank] = operation->token;
    operation->requests = &run->requests[rank];
    return TRUE;
}

static void done(gpointer context, guint32 rank, const HieraSimOperation *operation, const HieraSimTimes *times)
{
    (void)operation;
    ((RandomRun *)context)->end_ps[rank] = times->end_ps;
}

static void expect_same(guint32 seed, Way way)
{
    HieraMachine machine = play_machine(N_RANKS);
    g_autoptr(GRand) chance = g_rand_new_with_seed(seed);
    RandomRun run = {.way = way};
    for (guint32 i = 0; i < N_RANKS; i++)
        run.operations[i] = g_array_new(FALSE, FALSE, sizeof(HieraSimOperation));
    make(&run, chance, &machine.between);
    const HieraSimFeeder feeder = {.next = next, .done = done, .context = &run, .wildcards = way == BY_ARRIVAL};
    g_auto(HieraSimResult) result = {0};
    g_autoptr(GError) error = NULL;
    ck_assert_msg(hiera_simulate(&machine, &feeder, &result, &error), "seed %u: %s", seed, error ? error->message : "");
    for (guint32 i = 0; i < N_RANKS; i++) {
        ck_assert_msg(run.end_ps[i] == run.now_ps[i], "seed %u, way %d, rank %u: expected %ld, actual %ld", seed,
                      (int)way, i, (long)run.now_ps[i], (long)run.end_ps[i]);
        g_array_unref(run.operations[i]);
    }
}

START_TEST(random_runs_take_what_the_formulas_say)
{
    for (guint32 seed = 0; seed < N_RUNS; seed++) {
        for (guint way = 0; way < N_WAYS; way++)
            expect_same(seed, (Way)way);
    }
}
END_TEST

TCase *random_tests(void)
{
    TCase *tests = tcase_create("random");
    tcase_add_test(tests, random_runs_take_what_the_formulas_say);
    return tests;
}
