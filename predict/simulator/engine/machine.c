/* Checks the description of a simulated machine. */
#include "simulation.h"
#include <math.h>

static gboolean fail(GError **error, const char *what)
{
    g_set_error_literal(error, HIERA_SIMULATOR_ERROR, HIERA_SIMULATOR_ERROR_MACHINE, what);
    return FALSE;
}

/* Whether a time is not negative, and at most 1000 s: sums of a few such times stay below HIERA_SIM_LONGEST_PS. */
static gboolean is_time(gint64 time_ps)
{
    return time_ps >= 0 && time_ps <= G_GINT64_CONSTANT(1000000000000000);
}

static gboolean is_per_byte(gdouble ps_per_byte)
{
    return isfinite(ps_per_byte) && ps_per_byte >= 0;
}

static gboolean is_duplex(gdouble duplex)
{
    return duplex == 0 || (duplex >= 1 && duplex <= 2);
}

static gboolean are_steps(const HieraNetwork *network)
{
    if (network->n_steps > HIERA_NETWORK_STEPS)
        return FALSE;
    for (guint32 i = 0; i < network->n_steps; i++) {
        const HieraNetworkStep *step = &network->steps[i];
        if (!is_time(step->extra_ps) || !is_per_byte(step->ps_per_byte) || !is_duplex(step->duplex) ||
            step->above_bytes < 0 || (i > 0 && step->above_bytes <= step[-1].above_bytes))
            return FALSE;
    }
    return TRUE;
}

static gboolean is_network(const HieraNetwork *network)
{
    return is_time(network->latency_ps) && is_time(network->send_overhead_ps) &&
           is_time(network->receive_overhead_ps) && is_time(network->request_overhead_ps) && is_time(network->gap_ps) &&
           is_time(network->acknowledgement_ps) && is_time(network->step_overhead_ps) && network->eager_bytes >= 0 &&
           is_per_byte(network->ps_per_byte) && is_per_byte(network->send_copy_ps_per_byte) &&
           is_per_byte(network->receive_copy_ps_per_byte) && is_per_byte(network->reduce_ps_per_byte) &&
           is_per_byte(network->own_copy_ps_per_byte) && is_duplex(network->duplex) && are_steps(network);
}

static gboolean are_speeds(const gdouble *speed, guint32 n)
{
    for (guint32 i = 0; speed && i < n; i++) {
        if (!isfinite(speed[i]) || speed[i] <= 0)
            return FALSE;
    }
    return TRUE;
}

gboolean machine_check(const HieraMachine *machine, GError **error)
{
    if (machine->n_ranks == 0 || machine->n_ranks > EVENT_MASK)
        return fail(error, "a machine has from 1 to 268435455 ranks");
    if (!is_network(&machine->between) || !is_network(&machine->inside))
        return fail(error, "a parameter of the network is negative, no number, or absurd");
    if (machine->n_hosts > EVENT_MASK)
        return fail(error, "a machine has at most 268435455 hosts");
    for (guint32 i = 0; machine->n_hosts > 0 && i < machine->n_ranks; i++) {
        if (machine->host[i] >= machine->n_hosts)
            return fail(error, "a rank is on a host that the machine does not have");
    }
    for (guint32 i = 0; machine->core_set && i < machine->n_ranks; i++) {
        if (machine->core_set[i] >= machine->n_ranks)
            return fail(error, "a rank has cores that the machine does not have");
    }
    if (!are_speeds(machine->rank_speed, machine->n_ranks) || !are_speeds(machine->host_speed, machine->n_hosts) ||
        !are_speeds(machine->class_speed, machine->n_classes))
        return fail(error, "a speed is not positive");
    return TRUE;
}
