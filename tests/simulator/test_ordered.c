/* Runs whose order is known (paths/ordered.h), worked out by hand, and random ones held against the events of
 * hiera_simulate(). */
#include "paths/ordered.h"
#include "play.h"

/* Simulate and write what becomes of each call, `start+duration`, and of each join. */
static char *run_ordered(const HieraSimOrdered *run, const gint64 *begins)
{
    guint32 n = run->n_calls + run->n_joins;
    g_autofree gint64 *time = g_new0(gint64, n + 1), *duration = g_new0(gint64, n + 1);
    GString *text = g_string_new(NULL);
    for (guint32 i = 0; i < n; i++)
        time[i] = begins[i];
    hiera_sim_run_ordered(run, time, duration);
    for (guint32 i = 0; i < n; i++) {
        g_string_append_printf(text, "%s%" G_GINT64_FORMAT, i > 0 ? " " : "", time[i]);
        if (i < run->n_calls)
            g_string_append_printf(text, "+%" G_GINT64_FORMAT, duration[i]);
    }
    return g_string_free(text, FALSE);
}

static void expect(const HieraSimOrdered *run, const gint64 *begins, const char *expected)
{
    g_autofree char *found = run_ordered(run, begins);
    ck_assert_str_eq(found, expected);
}

/* Rank 0 calls at 10 and 50, and computes 30 between; rank 1 calls at 0 and 25, and computes 5 between. Call 2 depends
 * on call 0 and call 1 on call 3. Rank 1 waits from 0 to 10, calls again at 15; rank 0 does not wait at 10, computes
 * until 40, and does not wait for 15. */
static const gint64 starts[] = {10, 50, 0, 25}, finishes[] = {20, 60, 20, 40}, begins[] = {10, 0, 0, 0, 0};
static const guint64 last = 1 << 1 | 1 << 3;
static const guint32 first_edge[] = {0, 0, 1, 2, 2}, from[] = {3, 0}, order[] = {0, 2, 3, 1};
static const HieraSimOrdered two_ranks = {.n_calls = 4,
                                          .start = starts,
                                          .finish = finishes,
                                          .last = &last,
                                          .first_edge = first_edge,
                                          .from = from,
                                          .order = order,
                                          .n_open = 4};

START_TEST(calls_wait_for_what_they_depend_on)
{
    expect(&two_ranks, begins, "10+0 40+0 0+10 15+0");
}
END_TEST

static gint64 busy(gconstpointer context, guint32 call)
{
    return ((const gint64 *)context)[call];
}

/* Call 3 depends on call 1, too, which starts at 40; but that comes behind it in the order: left out. Call 2 takes 7
 * behind its waiting. */
START_TEST(some_calls_are_busy_and_dependences_are_left_out)
{
    static const guint32 edges[] = {0, 0, 1, 2, 3}, to[] = {3, 0, G_MAXUINT32};
    static const gint64 takes[] = {0, 0, 7, 0};
    HieraSimOrdered run = two_ranks;
    run.first_edge = edges;
    run.from = to;
    run.busy = busy;
    run.context = takes;
    expect(&run, begins, "10+0 40+0 0+17 22+0");
}
END_TEST

/* A barrier: both first calls depend on a join, which depends on both. Joins that are not open have their times: with
 * 100, both ranks wait until then. */
START_TEST(joins_are_the_latest_of_what_they_depend_on)
{
    static const guint32 edges[] = {0, 1, 1, 2, 2, 4}, to[] = {4, 4, 0, 2}, joined[] = {4, 0, 2, 1, 3};
    static const gint64 known[] = {10, 0, 0, 0, 100};
    HieraSimOrdered run = two_ranks;
    run.n_joins = 1;
    run.first_edge = edges;
    run.from = to;
    run.order = joined;
    run.n_open = 5;
    expect(&run, begins, "10+0 40+0 0+10 15+0 10");
    run.n_open = 4;
    expect(&run, known, "10+90 130+0 0+100 105+0 100");
}
END_TEST

/* Rank 0 computes longer than fits, from 20 to the last time that there is. */
START_TEST(times_that_do_not_fit_stay_so)
{
    static const gint64 late[] = {10, G_MAXINT64 - 1, 0, 25}, early[] = {-20, 60, 20, 40};
    HieraSimOrdered run = two_ranks;
    run.start = late;
    run.finish = early;
    expect(&run, begins, "10+0 9223372036854775807+9223372036854775807 0+10 15+0");
}
END_TEST

/* --- random runs --- */

enum { N_RANKS = 6, N_STEPS = 400, N_RUNS = 40, MOST_NODES = (N_STEPS + 2) * (N_RANKS + 1) };

typedef struct {
    GArray *operations[N_RANKS]; /* HieraSimOperation, with the number of its step as the token */
    guint next[N_RANKS];
    GArray *ends;  /* gint64, by call in the order of steps */
    GArray *steps; /* Step: calls and joins in an order that respects their dependences */
    gint64 computed[N_RANKS];
} RandomRun;

typedef struct {
    guint32 rank; /* N_RANKS: a join */
    gint64 before;
    guint first, n; /* dependences: steps, n of them from `first` on; of a join those behind it */
} Step;

static guint add_step(RandomRun *run, guint32 rank, guint first, guint n)
{
    const Step step = {rank, rank < N_RANKS ? run->computed[rank] : 0, first, n};
    if (rank < N_RANKS)
        run->computed[rank] = 0;
    g_array_append_val(run->steps, step);
    return run->steps->len - 1;
}

static void add_operation(RandomRun *run, guint32 rank, HieraSimOperation operation)
{
    operation.token = run->steps->len;
    g_array_append_val(run->operations[rank], operation);
}

static void add_message(RandomRun *run, guint32 source, guint32 dest)
{
    guint64 key = run->steps->len + 1;
    add_operation(run, source, (HieraSimOperation){.kind = HIERA_SIM_SEND, .peer = (gint32)dest, .key = key});
    guint sent = add_step(run, source, 0, 0);
    add_operation(run, dest, (HieraSimOperation){.kind = HIERA_SIM_RECEIVE, .peer = (gint32)source, .key = key});
    add_step(run, dest, sent, 1);
}

static void add_barrier(RandomRun *run)
{
    guint join = add_step(run, N_RANKS, run->steps->len + 1, N_RANKS);
    for (guint32 rank = 0; rank < N_RANKS; rank++) {
        add_operation(run, rank, (HieraSimOperation){.kind = HIERA_SIM_COLLECTIVE, .collective = HIERA_SIM_BARRIER});
        add_step(run, rank, join, 1);
    }
}

static void make_run(RandomRun *run, GRand *chance)
{
    for (guint step = 0; step < N_STEPS; step++) {
        guint32 rank = (guint32)g_rand_int_range(chance, 0, N_RANKS);
        gint64 duration = g_rand_int_range(chance, 0, 500);
        switch (g_rand_int_range(chance, 0, 8)) {
        case 0:
            add_barrier(run);
            break;
        case 1:
        case 2:
        case 3:
            add_message(run, rank, (rank + (guint32)g_rand_int_range(chance, 1, N_RANKS)) % N_RANKS);
            break;
        default:
            add_operation(run, rank, (HieraSimOperation){.kind = HIERA_SIM_COMPUTE, .duration_ps = duration});
            run->computed[rank] += duration;
        }
    }
    for (guint32 rank = 0; rank < N_RANKS; rank++)
        add_message(run, rank, (rank + 1) % N_RANKS); /* so that nothing is computed behind the last call */
}

static gboolean next(gpointer context, guint32 rank, HieraSimOperation *operation)
{
    RandomRun *run = context;
    if (run->next[rank] == run->operations[rank]->len)
        return FALSE;
    *operation = g_array_index(run->operations[rank], HieraSimOperation, run->next[rank]++);
    return TRUE;
}

static void done(gpointer context, guint32 rank, const HieraSimOperation *operation, const HieraSimTimes *times)
{
    const RandomRun *run = context;
    (void)rank;
    if (operation->kind != HIERA_SIM_COMPUTE)
        g_array_index(run->ends, gint64, operation->token) = times->end_ps;
}

static const guint32 *all_ranks(gpointer context, guint32 group, guint32 *n)
{
    static const guint32 ranks[N_RANKS] = {0, 1, 2, 3, 4, 5};
    (void)context, (void)group;
    *n = N_RANKS;
    return ranks;
}

/* The nodes of the run by rank, as ordered.h wants them. */
typedef struct {
    guint32 node[MOST_NODES], step[MOST_NODES]; /* by step; by node */
    gint64 start[MOST_NODES], finish[MOST_NODES], time[MOST_NODES], duration[MOST_NODES];
    guint64 last[MOST_NODES / 64 + 1];
    guint32 first_edge[MOST_NODES + 1], from[2 * MOST_NODES], order[MOST_NODES];
    guint32 n_calls, n;
} Nodes;

/* Number the steps: calls by rank, then joins. All calls take 1 as recorded. */
static void number_nodes(Nodes *nodes, const RandomRun *run)
{
    for (guint32 rank = 0; rank <= N_RANKS; rank++) {
        gint64 at = 0;
        for (guint i = 0; i < run->steps->len; i++) {
            const Step *step = &g_array_index(run->steps, Step, i);
            if (step->rank != rank)
                continue;
            nodes->start[nodes->n] = at + step->before;
            nodes->time[nodes->n] = at == 0 ? step->before : 0;
            nodes->finish[nodes->n] = at = nodes->start[nodes->n] + 1;
            nodes->step[nodes->n] = i;
            nodes->node[i] = nodes->n++;
        }
        if (rank < N_RANKS) {
            nodes->last[(nodes->n - 1) / 64] |= G_GUINT64_CONSTANT(1) << (nodes->n - 1) % 64;
            nodes->n_calls = nodes->n;
        }
    }
}

static void add_edges(Nodes *nodes, const RandomRun *run)
{
    guint32 n = 0;
    for (guint32 node = 0; node < nodes->n; node++) {
        const Step *step = &g_array_index(run->steps, Step, nodes->step[node]);
        nodes->order[nodes->step[node]] = node;
        for (guint i = 0; i < step->n; i++)
            nodes->from[n++] = nodes->node[step->first + i];
        nodes->first_edge[node + 1] = n;
    }
}

static void compare(guint32 seed)
{
    GRand *chance = g_rand_new_with_seed(seed);
    RandomRun run = {.ends = g_array_new(FALSE, TRUE, sizeof(gint64)),
                     .steps = g_array_new(FALSE, FALSE, sizeof(Step))};
    Nodes *nodes = g_new0(Nodes, 1);
    for (guint32 rank = 0; rank < N_RANKS; rank++)
        run.operations[rank] = g_array_new(FALSE, FALSE, sizeof(HieraSimOperation));
    make_run(&run, chance);
    g_array_set_size(run.ends, run.steps->len);
    HieraMachine machine = {
        .n_ranks = N_RANKS, .between.eager_bytes = 1, .algorithm[HIERA_SIM_BARRIER] = HIERA_SIM_ONE_STEP};
    const HieraSimFeeder feeder = {.next = next, .done = done, .group = all_ranks, .context = &run};
    g_auto(HieraSimResult) result = {0};
    ck_assert(hiera_simulate(&machine, &feeder, &result, NULL));
    number_nodes(nodes, &run);
    add_edges(nodes, &run);
    const HieraSimOrdered ordered = {.n_calls = nodes->n_calls,
                                     .n_joins = nodes->n - nodes->n_calls,
                                     .start = nodes->start,
                                     .finish = nodes->finish,
                                     .last = nodes->last,
                                     .first_edge = nodes->first_edge,
                                     .from = nodes->from,
                                     .order = nodes->order,
                                     .n_open = nodes->n};
    hiera_sim_run_ordered(&ordered, nodes->time, nodes->duration);
    for (guint32 call = 0; call < nodes->n_calls; call++)
        ck_assert_int_eq(nodes->time[call] + nodes->duration[call], g_array_index(run.ends, gint64, nodes->step[call]));
    for (guint32 rank = 0; rank < N_RANKS; rank++)
        g_array_unref(run.operations[rank]);
    g_array_unref(run.ends);
    g_array_unref(run.steps);
    g_rand_free(chance);
    g_free(nodes);
}

START_TEST(both_engines_have_the_same_times)
{
    compare((guint32)_i);
}
END_TEST

TCase *ordered_tests(void)
{
    TCase *tests = tcase_create("ordered");
    tcase_add_test(tests, calls_wait_for_what_they_depend_on);
    tcase_add_test(tests, some_calls_are_busy_and_dependences_are_left_out);
    tcase_add_test(tests, joins_are_the_latest_of_what_they_depend_on);
    tcase_add_test(tests, times_that_do_not_fit_stay_so);
    tcase_add_loop_test(tests, both_engines_have_the_same_times, 0, N_RUNS);
    return tests;
}
