/* When messages leave and arrive, by the LogGP model; see machine.h. */
#include "simulation.h"

const HieraNetwork *network_between(const Simulation *of, guint32 a, guint32 b)
{
    const HieraMachine *machine = of->machine;
    if (a == b)
        return &of->self;
    return machine->n_hosts > 0 && machine->host[a] == machine->host[b] ? &machine->inside : &machine->between;
}

static gint64 take_adapter(Rank *rank, gint64 time_ps, gint64 data_ps, gint64 gap_ps)
{
    gint64 begin_ps = MIN(MAX(time_ps, rank->out_free_ps), HIERA_SIM_LONGEST_PS);
    rank->out_free_ps = begin_ps + data_ps + gap_ps;
    return begin_ps;
}

gint64 network_send_word(Simulation *of, guint32 source, guint32 dest)
{
    const HieraNetwork *network = network_between(of, source, dest);
    Rank *rank = &of->ranks[source];
    return take_adapter(rank, rank->now_ps, 0, network->gap_ps) + network->latency_ps;
}

HieraNetworkStep network_find_step(const HieraNetwork *network, gint64 bytes)
{
    HieraNetworkStep found = {-1, 0, network->ps_per_byte, network->duplex};
    for (guint32 i = 0; i < network->n_steps && bytes > network->steps[i].above_bytes; i++)
        found = network->steps[i];
    return found;
}

static gint64 data_time(const HieraNetwork *network, const Message *message)
{
    return simulation_round((gdouble)message->bytes * network_find_step(network, message->bytes).ps_per_byte);
}

/* Occupy both ends of a message, from when it could leave. The time of a rank has no gaps: while one message waits for
 * others, messages in the other direction continue. @return when both ends are done */
static gint64 take_both_ends(Simulation *of, const Message *message, gint64 time_ps, gint64 takes_ps, gdouble duplex)
{
    gint64 work_ps = duplex > 0 && duplex < 2 ? simulation_round((gdouble)takes_ps / duplex) : 0;
    gint64 *const ends[] = {&of->ranks[message->source].busy_ps, &of->ranks[message->dest].busy_ps};
    for (guint i = 0; work_ps > 0 && i < G_N_ELEMENTS(ends); i++)
        *ends[i] = MIN(MAX(time_ps, *ends[i]), HIERA_SIM_LONGEST_PS) + work_ps;
    return work_ps > 0 ? MAX(*ends[0], *ends[1]) : 0;
}

gint64 network_send_data(Simulation *of, guint32 place, gint64 time_ps)
{
    Message *message = &of->messages.at[place];
    const HieraNetwork *network = network_between(of, message->source, message->dest);
    const HieraNetworkStep step = network_find_step(network, message->bytes);
    gint64 data_ps = data_time(network, message);
    gint64 busy_ps = take_both_ends(of, message, time_ps, step.extra_ps + data_ps, step.duplex);
    gint64 begin_ps = take_adapter(&of->ranks[message->source], MAX(time_ps + step.extra_ps, busy_ps - data_ps),
                                   data_ps, network->gap_ps);
    of->result->ranks[message->source].sending_ps += data_ps;
    if (of->out_free_ps && network == &of->machine->between) {
        simulation_put(of, begin_ps, EVENT_OUT, place);
        return begin_ps + network->latency_ps;
    }
    gint64 arrival_ps = begin_ps + data_ps + network->latency_ps;
    message->arrival_ps = arrival_ps;
    if (message->send != NONE)
        request_complete(of, message->send, begin_ps + data_ps + network->acknowledgement_ps);
    return arrival_ps;
}

/* --- links of hosts --- */

void network_init_links(Simulation *of)
{
    const HieraMachine *machine = of->machine;
    gsize n = (gsize)machine->links * (machine->n_hosts > 0 ? machine->n_hosts : machine->n_ranks);
    of->out_free_ps = n > 0 ? g_new0(gint64, n) : NULL;
    of->in_free_ps = n > 0 ? g_new0(gint64, n) : NULL;
}

/* Occupy the link of a rank's host that is free first, for data_ps. @return when its use begins: at time_ps or later */
static gint64 take_link(const Simulation *of, gint64 *free_ps, guint32 rank, gint64 time_ps, gint64 data_ps)
{
    gsize first = (gsize)(of->machine->n_hosts > 0 ? of->machine->host[rank] : rank) * of->machine->links, best = first;
    for (gsize i = first + 1; i < first + of->machine->links; i++) {
        if (free_ps[i] < free_ps[best])
            best = i;
    }
    gint64 begin_ps = MIN(MAX(time_ps, free_ps[best]), HIERA_SIM_LONGEST_PS);
    free_ps[best] = begin_ps + data_ps;
    return begin_ps;
}

void network_take_out(Simulation *of, guint32 place, gint64 time_ps)
{
    const Message *message = &of->messages.at[place];
    const HieraNetwork *network = &of->machine->between;
    gint64 data_ps = data_time(network, message);
    gint64 begin_ps = take_link(of, of->out_free_ps, message->source, time_ps, data_ps);
    simulation_put(of, begin_ps + network->latency_ps, EVENT_IN, place);
    if (message->send != NONE)
        request_complete(of, message->send, begin_ps + data_ps + network->acknowledgement_ps);
}

void network_take_in(Simulation *of, guint32 place, gint64 time_ps)
{
    Message *message = &of->messages.at[place];
    gint64 data_ps = data_time(&of->machine->between, message);
    message->arrival_ps = take_link(of, of->in_free_ps, message->dest, time_ps, data_ps) + data_ps;
    message_settle(of, place);
}
