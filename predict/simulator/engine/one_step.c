/* Collectives without messages: a formula gives the time at which each member leaves. */
#include "simulation.h"

gint64 hiera_sim_one_step_ps(HieraSimCollective collective, guint32 n, gint64 bytes, const HieraNetwork *network)
{
    gint64 word_ps = network->send_overhead_ps + network->latency_ps + network->receive_overhead_ps, rounds = 0;
    const HieraNetworkStep step = network_find_step(network, bytes);
    gint64 data_ps = simulation_round((gdouble)step.extra_ps + (gdouble)bytes * step.ps_per_byte),
           others = (gint64)n - 1;
    for (guint64 reached = 1; reached < n; reached *= 2)
        rounds++;
    if (n < 2)
        return 0;
    switch (collective) {
    case HIERA_SIM_BARRIER:
        return rounds * word_ps;
    case HIERA_SIM_ALLTOALL:
        return simulation_round((gdouble)word_ps + (gdouble)others * (gdouble)(network->gap_ps + data_ps));
    case HIERA_SIM_GATHER:
    case HIERA_SIM_SCATTER:
    case HIERA_SIM_ALLGATHER:
    case HIERA_SIM_REDUCE_SCATTER:
        return simulation_round((gdouble)(rounds * word_ps) + (gdouble)others * (gdouble)data_ps);
    default:
        return simulation_round((gdouble)rounds * (gdouble)(word_ps + data_ps));
    }
}

static gint64 takes_ps(const Group *group, const Collective *of)
{
    return hiera_sim_one_step_ps(of->collective, group->n, of->bytes, group->network);
}

/* Let a member leave takes_ps after itself and the others on which it depends (entered_ps: the last of them) have
 * entered. */
static void leave(Simulation *of, Collective *collective, guint32 member, gint64 entered_ps, gint64 takes_ps)
{
    guint32 place = collective->request[member];
    Request *request = &of->requests.at[place];
    collective->request[member] = NONE;
    request->begun_ps = entered_ps;
    request_complete(of, place, MAX(request->posted_ps, entered_ps) + takes_ps);
}

/* Enter a broadcast or scatter: each member leaves after both the root and the member itself have entered. */
static void enter_from_root(Simulation *of, const Group *group, Collective *collective, guint32 member)
{
    gint64 takes = takes_ps(group, collective);
    if (member == collective->root) {
        collective->root_ps = of->requests.at[collective->request[member]].posted_ps;
        leave(of, collective, member, collective->root_ps, group->n > 1 ? group->network->send_overhead_ps : 0);
        for (guint32 i = 0; i < group->n; i++) {
            if (collective->request[i] != NONE)
                leave(of, collective, i, collective->root_ps, takes);
        }
    } else if (collective->root_ps != UNKNOWN) {
        leave(of, collective, member, collective->root_ps, takes);
    }
}

/* Enter a reduce or gather: the root leaves after all members have entered. */
static void enter_to_root(Simulation *of, const Group *group, Collective *collective, guint32 member)
{
    if (member != collective->root)
        leave(of, collective, member, 0, group->network->send_overhead_ps);
    if (collective->n_entered == group->n)
        leave(of, collective, collective->root, collective->last_ps, takes_ps(group, collective));
}

/* Enter a scan: each member leaves after the members with lower ranks have entered. */
static void enter_scan(Simulation *of, const Group *group, Collective *collective)
{
    for (; collective->n_before < group->n && collective->request[collective->n_before] != NONE;
         collective->n_before++) {
        guint32 member = collective->n_before;
        collective->last_ps = MAX(collective->last_ps, of->requests.at[collective->request[member]].posted_ps);
        leave(of, collective, member, collective->last_ps, takes_ps(group, collective));
    }
}

void one_step_enter(Simulation *of, const Group *group, Collective *collective, guint32 member, guint32 request)
{
    gint64 entered_ps = of->requests.at[request].posted_ps;
    collective->request[member] = request;
    if (collective->collective == HIERA_SIM_SCAN) {
        enter_scan(of, group, collective);
        return;
    }
    collective->last_ps = MAX(collective->last_ps, entered_ps);
    switch (collective->collective) {
    case HIERA_SIM_BROADCAST:
    case HIERA_SIM_SCATTER:
        enter_from_root(of, group, collective, member);
        return;
    case HIERA_SIM_REDUCE:
    case HIERA_SIM_GATHER:
        enter_to_root(of, group, collective, member);
        return;
    default:
        for (guint32 i = 0; collective->n_entered == group->n && i < group->n; i++)
            leave(of, collective, i, collective->last_ps, takes_ps(group, collective));
    }
}
