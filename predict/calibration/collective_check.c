#include "collective_check.h"
#include "simulator/simulator.h"

typedef struct {
    HieraSimOperation operation;
    guint count, *n_done; /* number of collectives that each rank executes; by rank: number of begun ones */
    guint32 n_ranks, *ranks;
} Row;

static gboolean next(gpointer context, guint32 rank, HieraSimOperation *operation)
{
    Row *row = context;
    *operation = row->operation;
    return row->n_done[rank]++ < row->count;
}

static const guint32 *group(gpointer context, guint32 number, guint32 *n)
{
    const Row *row = context;
    *n = row->n_ranks;
    return number == 0 ? row->ranks : NULL;
}

gdouble collective_check_predict(const HieraMachine *machine, HieraSimCollective collective, gint64 bytes, guint count)
{
    g_auto(HieraSimResult) result = {0};
    g_autofree guint *n_done = g_new0(guint, machine->n_ranks);
    g_autofree guint32 *ranks = g_new(guint32, machine->n_ranks);
    Row row = {{.kind = HIERA_SIM_COLLECTIVE, .collective = collective, .bytes = bytes},
               count,
               n_done,
               machine->n_ranks,
               ranks};
    for (guint32 i = 0; i < machine->n_ranks; i++)
        ranks[i] = i;
    const HieraSimFeeder feeder = {.next = next, .group = group, .context = &row};
    if (!hiera_simulate(machine, &feeder, &result, NULL))
        return -1;
    return (gdouble)result.ranks[0].end_ps * 1e-12 / count;
}
