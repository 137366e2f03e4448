/* What messages take on their way: LogGP; see machine.h. */
#include "simulation.h"
#include <math.h>

const HieraNetwork *network_between(const HieraMachine *machine, guint32 a, guint32 b)
{
    gboolean same = machine->n_hosts == 0 ? a == b : machine->host[a] == machine->host[b];
    return same ? &machine->inside : &machine->between;
}

static gint64 take_adapter(Rank *rank, gint64 time_ps, gint64 data_ps, gint64 gap_ps)
{
    gint64 begin_ps = MAX(time_ps, rank->out_free_ps);
    rank->out_free_ps = begin_ps + data_ps + gap_ps;
    return begin_ps;
}

gint64 network_send_word(Simulation *of, guint32 source, guint32 dest)
{
    const HieraNetwork *network = network_between(of->machine, source, dest);
    Rank *rank = &of->ranks[source];
    return take_adapter(rank, rank->now_ps, 0, network->gap_ps) + network->latency_ps;
}

void network_send_data(Simulation *of, guint32 place, gint64 time_ps)
{
    Message *message = &of->messages.at[place];
    const HieraNetwork *network = network_between(of->machine, message->source, message->dest);
    gint64 data_ps = (gint64)llround((gdouble)message->bytes * network->ps_per_byte);
    gint64 left_ps = take_adapter(&of->ranks[message->source], time_ps, data_ps, network->gap_ps) + data_ps;
    message->arrival_ps = left_ps + network->latency_ps;
    if (message->send != NONE)
        request_complete(of, message->send, left_ps);
}
