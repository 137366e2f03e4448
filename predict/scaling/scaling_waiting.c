#include "scaling_waiting.h"

typedef struct {
    gint64 *ps; /* by row: waiting with the changes minus waiting without, summed so far */
    gint sign;
} Sum;

static void add_waiting(gpointer user, guint32 row, gint64 waiting_ps)
{
    Sum *sum = user;
    sum->ps[row] += sum->sign * waiting_ps;
}

static gboolean simulate(RecordedRun *run, const MachineOptions *machine, const Speeds *speeds, const Sizes *sizes,
                         Sum *sum, GError **error)
{
    g_auto(RunSimulation) simulation = {0};
    const SpanFollower follower = {.waited = add_waiting, .user = sum};
    run->sizes = sizes;
    return simulation_run(&simulation, run, machine, speeds, &follower, error);
}

gint64 *scaling_waiting_difference(RecordedRun *run, const ScalingChanges *changes, GError **error)
{
    g_autofree gint64 *ps = g_new0(gint64, (gsize)run->trace->n_operations + 1);
    Speeds *unchanged = speeds_new();
    Sum sum = {ps, -1};
    MachineOptions machine = changes->machine;
    machine.one_step = TRUE; /* by a formula, as predictions of other numbers of ranks compute collectives */
    speeds_decide(unchanged, run->trace, run->match);
    gboolean good = simulate(run, &machine, unchanged, NULL, &sum, error);
    sum.sign = 1;
    good = good && simulate(run, &machine, changes->speeds, changes->sizes, &sum, error);
    speeds_free(unchanged);
    run->sizes = NULL;
    for (guint32 row = 0; row < run->trace->n_operations; row++)
        ps[row] /= HIERA_PS_PER_NS;
    return good ? g_steal_pointer(&ps) : NULL;
}
