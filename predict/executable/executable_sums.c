#include "executable_sums.h"
#include <string.h>

ExecutableSums *executable_sums_new(const HieraExecution *execution, guint32 n_processes)
{
    ExecutableSums *sums = g_new0(ExecutableSums, 1);
    guint n = execution->vertices->len;
    sums->execution = execution;
    sums->n_processes = n_processes;
    sums->processes = g_new0(ProcessSums, n_processes);
    for (guint32 i = 0; i < n_processes; i++) {
        sums->processes[i].counters = g_new0(gdouble, hiera_n_counters(execution));
        sums->processes[i].library = g_new0(gdouble, n);
        sums->processes[i].was_capped = g_new0(gboolean, execution->loops->len + 1);
    }
    sums->ends_ps = g_array_new(FALSE, FALSE, sizeof(gdouble));
    sums->unknown = g_new0(guint8, n);
    sums->n_undecided = g_new0(guint64, n);
    sums->decided = g_new0(HieraDecided, (gsize)n * n_processes);
    sums->notes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return sums;
}

void executable_sums_free(ExecutableSums *sums)
{
    for (guint32 i = 0; i < sums->n_processes; i++) {
        g_free(sums->processes[i].counters);
        g_free(sums->processes[i].library);
        g_free(sums->processes[i].was_capped);
    }
    g_free(sums->processes);
    g_array_unref(sums->ends_ps);
    g_free(sums->unknown);
    g_free(sums->n_undecided);
    g_free(sums->decided);
    g_hash_table_unref(sums->notes);
    g_free(sums);
}

static void add_process(ExecutableSums *sums, const HieraExecutionRun *run, guint32 i)
{
    const HieraExecution *execution = sums->execution;
    const HieraProcess *process = run->world.processes[i];
    const HieraCurrentCall *call = &run->world.calls[i];
    const HieraSimRank *rank = &run->result.ranks[i];
    ProcessSums *to = &sums->processes[i];
    guint n = execution->vertices->len;
    to->time_ps += (gdouble)rank->end_ps;
    to->compute_ps += (gdouble)rank->compute_ps;
    to->mpi_ps +=
        (gdouble)rank->mpi_ps + (gdouble)rank->delay_ps; /* delay_ps is time in failed polls and in calls on files */
    to->waiting_ps += (gdouble)rank->waiting_ps;
    to->sending_ps += (gdouble)rank->sending_ps;
    to->n_sent += (gdouble)call->n_sent;
    to->n_received += (gdouble)call->n_received;
    to->bytes_sent += (gdouble)call->bytes_sent;
    to->bytes_received += (gdouble)call->bytes_received;
    to->n_collectives += (gdouble)call->n_collectives;
    to->n_drawn += (gdouble)process->n_drawn;
    for (guint c = 0; c < hiera_n_counters(execution); c++)
        to->counters[c] += (gdouble)process->counters[c];
    for (guint v = 0; v < n; v++) {
        to->library[v] = process->library_cycles[v];
        to->cycles +=
            (gdouble)process->counters[v] * (hiera_execution_vertex(execution, v)->cycles + process->library_cycles[v]);
        sums->unknown[v] |= process->unknown[v];
        sums->n_undecided[v] += process->n_undecided_at[v];
    }
    for (guint l = 0; l < execution->loops->len; l++)
        to->was_capped[l] |= process->was_capped[l];
    memcpy(sums->decided + (gsize)i * n, process->decided, n * sizeof *process->decided);
}

void executable_sums_add(ExecutableSums *sums, const HieraExecutionRun *run)
{
    GHashTableIter iterator;
    gpointer note, kind;
    gdouble end_ps = (gdouble)run->result.end_ps;
    sums->n_simulations++;
    g_array_append_val(sums->ends_ps, end_ps);
    for (guint32 i = 0; i < sums->n_processes; i++)
        add_process(sums, run, i);
    g_hash_table_iter_init(&iterator, run->world.notes);
    while (g_hash_table_iter_next(&iterator, &note, &kind))
        g_hash_table_insert(sums->notes, g_strdup(note), kind);
}

gdouble executable_sums_time(const ExecutableSums *sums)
{
    gdouble all = 0;
    for (guint i = 0; i < sums->ends_ps->len; i++)
        all += g_array_index(sums->ends_ps, gdouble, i);
    return all / sums->n_simulations;
}

gdouble executable_sums_cycles(const ExecutableSums *sums)
{
    gdouble all = 0;
    for (guint32 i = 0; i < sums->n_processes; i++)
        all += sums->processes[i].cycles;
    return all / sums->n_simulations;
}

gdouble executable_sums_compute(const ExecutableSums *sums)
{
    gdouble all = 0;
    for (guint32 i = 0; i < sums->n_processes; i++)
        all += sums->processes[i].compute_ps;
    return all / sums->n_simulations;
}

gdouble executable_sums_function(const ExecutableSums *sums, guint32 process, guint graph)
{
    const HieraFunctionGraph *of = hiera_execution_graph(sums->execution, graph);
    const ProcessSums *from = &sums->processes[process];
    gdouble cycles = 0;
    for (guint v = of->first; v < of->first + of->n; v++)
        cycles += from->counters[v] * (hiera_execution_vertex(sums->execution, v)->cycles + from->library[v]);
    return cycles;
}

const ExecutableSums *executable_sums_find_smallest(const GPtrArray *all)
{
    const ExecutableSums *smallest = all->pdata[0];
    for (guint i = 1; i < all->len; i++) {
        const ExecutableSums *sums = all->pdata[i];
        smallest = sums->n_processes < smallest->n_processes ? sums : smallest;
    }
    return smallest;
}
