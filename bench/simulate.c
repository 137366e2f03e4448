/* Speed and memory of the simulator: simulate PATTERN RANKS OPERATIONS. OPERATIONS: number for all ranks together. */
#include "simulator/simulator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct {
    guint64 each; /* number of operations of each rank */
    guint32 n_ranks;
    guint64 *at;
    guint64 requests[2];
    guint32 *ranks, *hosts; /* by rank: its number, its host; there are 4 ranks on each host */
} Run;

static void compute(const Run *run, guint32 rank, HieraSimOperation *operation)
{
    operation->kind = HIERA_SIM_COMPUTE;
    operation->duration_ps = 1000000 + (gint64)((rank * 7919u + run->at[rank] * 104729u) % 100000);
}

/* Ping-pong between pairs of ranks: one computes, sends, receives; the other one computes, receives, sends. */
static gboolean next_ping_pong(gpointer context, guint32 rank, HieraSimOperation *operation)
{
    Run *run = context;
    guint64 at = run->at[rank]++;
    if (at >= run->each)
        return FALSE;
    if (at % 3 == 0) {
        compute(run, rank, operation);
        return TRUE;
    }
    operation->kind = (at % 3 == 1) == (rank % 2 == 0) ? HIERA_SIM_SEND : HIERA_SIM_RECEIVE;
    operation->peer = (gint32)(rank ^ 1);
    operation->bytes = 1000;
    return TRUE;
}

/* A ring: each rank computes, posts the receive from the left and the send to the right, waits for both. */
static gboolean next_ring(gpointer context, guint32 rank, HieraSimOperation *operation)
{
    Run *run = context;
    guint64 at = run->at[rank]++;
    if (at >= run->each)
        return FALSE;
    switch (at % 4) {
    case 0:
        compute(run, rank, operation);
        break;
    case 1:
        operation->kind = HIERA_SIM_RECEIVE;
        operation->peer = (gint32)((rank + run->n_ranks - 1) % run->n_ranks);
        operation->request = 1;
        break;
    case 2:
        operation->kind = HIERA_SIM_SEND;
        operation->peer = (gint32)((rank + 1) % run->n_ranks);
        operation->bytes = at % 8 == 2 ? 1000 : 100000;
        operation->request = 2;
        break;
    default:
        operation->kind = HIERA_SIM_WAIT;
        operation->requests = run->requests;
        operation->n_requests = 2;
    }
    return TRUE;
}

static gboolean next_ring_any(gpointer context, guint32 rank, HieraSimOperation *operation)
{
    gboolean more = next_ring(context, rank, operation);
    if (more && operation->kind == HIERA_SIM_RECEIVE)
        operation->peer = HIERA_SIM_ANY;
    return more;
}

/* Each rank computes, then takes part in a reduction of 8 bytes on all ranks. */
static gboolean next_allreduce(gpointer context, guint32 rank, HieraSimOperation *operation)
{
    Run *run = context;
    guint64 at = run->at[rank]++;
    if (at >= run->each)
        return FALSE;
    if (at % 2 == 0) {
        compute(run, rank, operation);
        return TRUE;
    }
    operation->kind = HIERA_SIM_COLLECTIVE;
    operation->collective = HIERA_SIM_ALLREDUCE;
    operation->bytes = 8;
    return TRUE;
}

static const guint32 *find_ranks(gpointer context, guint32 group, guint32 *n)
{
    const Run *run = context;
    *n = group == 0 ? run->n_ranks : 0;
    return run->ranks;
}

typedef struct {
    const char *name;
    gboolean (*next)(gpointer context, guint32 rank, HieraSimOperation *operation);
    gboolean wildcards, links, one_step;
} Pattern;

static const Pattern patterns[] = {
    {"ping-pong", next_ping_pong, FALSE, FALSE, FALSE}, {"ring", next_ring, FALSE, FALSE, FALSE},
    {"ring-any", next_ring_any, TRUE, FALSE, FALSE},    {"ring-links", next_ring, FALSE, TRUE, FALSE},
    {"allreduce", next_allreduce, FALSE, FALSE, FALSE}, {"allreduce-step", next_allreduce, FALSE, FALSE, TRUE}};

static const Pattern *find_pattern(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(patterns); i++) {
        if (strcmp(patterns[i].name, name) == 0)
            return &patterns[i];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const Pattern *pattern = argc == 4 ? find_pattern(argv[1]) : NULL;
    guint32 n_ranks = argc == 4 ? (guint32)atoi(argv[2]) : 0;
    if (!pattern || n_ranks == 0 || n_ranks % 2 != 0) {
        fprintf(stderr, "usage: simulate ping-pong|ring|ring-any|ring-links|allreduce|allreduce-step RANKS OPERATIONS, "
                        "with an even number of ranks\n");
        return 2;
    }
    Run run = {(guint64)atoll(argv[3]) / n_ranks / 12 * 12,
               n_ranks,
               g_new0(guint64, n_ranks),
               {1, 2},
               g_new(guint32, n_ranks),
               g_new(guint32, n_ranks)};
    for (guint32 i = 0; i < n_ranks; i++) {
        run.ranks[i] = i;
        run.hosts[i] = i / 4;
    }
    const HieraNetwork network = {.latency_ps = 2000000,
                                  .send_overhead_ps = 200000,
                                  .receive_overhead_ps = 200000,
                                  .gap_ps = 100000,
                                  .ps_per_byte = 83.3,
                                  .eager_bytes = 65536};
    HieraMachine machine = {.n_ranks = n_ranks, .between = network, .inside = network};
    machine.n_hosts = pattern->links ? (n_ranks + 3) / 4 : 0;
    machine.host = run.hosts;
    machine.links = pattern->links;
    machine.algorithm[HIERA_SIM_ALLREDUCE] = pattern->one_step ? HIERA_SIM_ONE_STEP : HIERA_SIM_AUTOMATIC;
    const HieraSimFeeder feeder = {
        .next = pattern->next, .group = find_ranks, .context = &run, .wildcards = pattern->wildcards};
    g_auto(HieraSimResult) result = {0};
    g_autoptr(GError) error = NULL;
    gint64 begin_us = g_get_monotonic_time();
    if (!hiera_simulate(&machine, &feeder, &result, &error)) {
        fprintf(stderr, "simulate: %s\n", error->message);
        return 1;
    }
    gdouble seconds = (gdouble)(g_get_monotonic_time() - begin_us) / 1e6;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%s, %u ranks: %" G_GUINT64_FORMAT " operations in %.2f s, %.2f M/s; %" G_GUINT64_FORMAT
           " events in the queue, at most %" G_GUINT64_FORMAT " open, %.1f MB; end at %.6f s\n",
           pattern->name, n_ranks, result.n_operations, seconds, (gdouble)result.n_operations / seconds / 1e6,
           result.n_events, result.most_open, (gdouble)usage.ru_maxrss / 1024, (gdouble)result.end_ps / 1e12);
    g_free(run.at);
    g_free(run.ranks);
    g_free(run.hosts);
    return 0;
}
