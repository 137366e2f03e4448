/* Hosts (or sets of cores, HieraMachine.core_set) on which more ranks may compute than there are cores: all get the
 * same share (processor sharing). So the work of a rank since its begin is what counts, and it grows equally for all: a
 * computation ends when the host's work has grown by its duration. */
#include "simulation.h"

/* Return by rank the index of its cores; NULL: each rank has a core of its own. */
static const guint32 *peek_sets(const HieraMachine *machine)
{
    return machine->core_set ? machine->core_set : machine->n_hosts > 0 ? machine->host : NULL;
}

static guint32 count_sets(const HieraMachine *machine)
{
    return machine->core_set ? machine->n_ranks : machine->n_hosts;
}

void cores_init(Simulation *of)
{
    const HieraMachine *machine = of->machine;
    const guint32 *sets = peek_sets(machine);
    if (machine->cores == 0 || !sets)
        return;
    of->hosts = g_new0(Host, count_sets(machine));
    for (guint32 i = 0; i < machine->n_ranks; i++)
        of->hosts[sets[i]].n_ranks++;
}

void cores_clear(Simulation *of)
{
    for (guint32 i = 0; of->hosts && i < count_sets(of->machine); i++)
        events_clear(&of->hosts[i].ends);
    g_free(of->hosts);
}

/* Advance a host's work_ps to a time. With n ranks computing on c < n cores, it grows by c / n in each picosecond. */
static void advance(Host *host, gint64 cores, gint64 time_ps)
{
    gint64 n = host->ends.n, passed_ps = time_ps - host->time_ps;
    host->time_ps = time_ps;
    if (n <= cores) {
        host->work_ps += passed_ps;
        host->rest = 0;
        return;
    }
    gint64 parts = passed_ps % n * cores + host->rest;
    host->work_ps += passed_ps / n * cores + parts / n;
    host->rest = parts % n;
}

/* Schedule the event for the next end of a computation on a host; rounded up, so that the computation is done by then.
 */
static void expect_end(Simulation *of, guint32 index)
{
    Host *host = &of->hosts[index];
    gint64 cores = of->machine->cores, n = host->ends.n;
    if (n == 0)
        return;
    gint64 left_ps = events_next_ps(&host->ends) - host->work_ps;
    gint64 parts = left_ps % cores * n - host->rest;
    host->next_ps = host->time_ps + (n <= cores ? left_ps : left_ps / cores * n + (parts + cores - 1) / cores);
    simulation_put(of, host->next_ps, EVENT_CORES, index);
}

gboolean cores_are_enough(Simulation *of, guint32 rank, gint64 duration_ps)
{
    guint32 index = of->hosts ? peek_sets(of->machine)[rank] : 0;
    if (!of->hosts || of->hosts[index].n_ranks <= of->machine->cores || duration_ps == 0)
        return TRUE;
    Host *host = &of->hosts[index];
    advance(host, of->machine->cores, of->ranks[rank].now_ps);
    host->rest = 0;
    events_put(&host->ends, host->work_ps + duration_ps, rank);
    of->ranks[rank].state = BLOCKED;
    expect_end(of, index);
    return FALSE;
}

/* The event is outdated if time_ps is not next_ps: a computation that began later has changed the next end. */
void cores_end(Simulation *of, guint32 index, gint64 time_ps)
{
    Host *host = &of->hosts[index];
    if (time_ps != host->next_ps || host->ends.n == 0)
        return;
    advance(host, of->machine->cores, time_ps);
    while (events_next_ps(&host->ends) <= host->work_ps) {
        guint32 rank = events_take(&host->ends).what;
        host->rest = 0;
        simulation_go_on(of, rank, time_ps);
    }
    expect_end(of, index);
}
