/* Messages from rank to rank: eager ones leave at once, others when their receive is posted. */
#include "simulation.h"

static gboolean waits_for_receive(const HieraNetwork *network, const HieraSimOperation *operation)
{
    if (operation->mode == HIERA_SIM_SYNCHRONOUS)
        return TRUE;
    return operation->mode != HIERA_SIM_READY && operation->bytes > network->eager_bytes;
}

void message_settle(Simulation *of, guint32 place)
{
    const Message *message = &of->messages.at[place];
    if (message->arrival_ps == UNKNOWN || message->receive == NONE)
        return;
    guint32 receive = message->receive;
    gint64 arrival_ps = message->arrival_ps;
    message_free(&of->messages, place);
    request_complete(of, receive, MAX(of->requests.at[receive].posted_ps, arrival_ps));
}

void message_join(Simulation *of, guint32 place, guint32 receive)
{
    Message *message = &of->messages.at[place];
    Request *request = &of->requests.at[receive];
    const HieraNetwork *network = network_between(of->machine, message->source, message->dest);
    message->receive = receive;
    request->begun_ps = message->begun_ps;
    request->cost_ps = network->receive_overhead_ps;
    if (!message->rendezvous) {
        message_settle(of, place);
        return;
    }
    if (message->send != NONE)
        of->requests.at[message->send].begun_ps = request->posted_ps;
    gint64 met_ps = MAX(message->envelope_ps, request->posted_ps);
    simulation_put(of, met_ps + network->latency_ps, EVENT_CLEAR, place);
}

void message_clear_to_send(Simulation *of, guint32 place, gint64 time_ps)
{
    network_send_data(of, place, time_ps);
    message_settle(of, place);
}

static gboolean is_sane(Simulation *of, guint32 rank, gboolean receives)
{
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    gboolean any = receives && of->feeder->wildcards;
    if (operation->peer < 0 ? !any || operation->peer != HIERA_SIM_ANY
                            : (guint32)operation->peer >= of->machine->n_ranks)
        simulation_fail(of, rank, "its peer is %d", operation->peer);
    else if (operation->tag < 0 && !(any && operation->tag == HIERA_SIM_ANY))
        simulation_fail(of, rank, "its tag is %d", operation->tag);
    else if (operation->bytes < 0)
        simulation_fail(of, rank, "it has %" G_GINT64_FORMAT " bytes", operation->bytes);
    else if (operation->group > G_MAXINT32)
        simulation_fail(of, rank, "its communicator is %u", operation->group);
    return !of->error;
}

/* Make the request of a send that is not done yet. */
static guint32 make_send_request(Simulation *of, guint32 rank, guint32 message)
{
    guint32 place = request_make(of, rank, of->ranks[rank].operation.request);
    Request *request = &of->requests.at[place];
    request->peer = of->ranks[rank].operation.peer;
    of->messages.at[message].send = place;
    return place;
}

static guint32 make_message(Simulation *of, guint32 rank)
{
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    guint32 place = message_new(&of->messages);
    Message *message = &of->messages.at[place];
    message->source = rank;
    message->dest = (guint32)operation->peer;
    message->receive = message->send = NONE;
    message->group = operation->group;
    message->tag = operation->tag;
    message->key = operation->key;
    message->bytes = operation->bytes;
    message->begun_ps = of->ranks[rank].now_ps;
    message->arrival_ps = UNKNOWN;
    return place;
}

gboolean message_execute_send(Simulation *of, guint32 rank)
{
    if (!is_sane(of, rank, FALSE))
        return FALSE;
    Rank *sender = &of->ranks[rank];
    const HieraSimOperation *operation = &sender->operation;
    const HieraNetwork *network = network_between(of->machine, rank, (guint32)operation->peer);
    guint32 place = make_message(of, rank), send = NONE;
    of->result->ranks[rank].n_messages++;
    of->result->ranks[rank].n_bytes += (guint64)operation->bytes;
    gboolean rendezvous = waits_for_receive(network, operation);
    if (rendezvous && operation->mode != HIERA_SIM_BUFFERED)
        send = make_send_request(of, rank, place);
    sender->now_ps += network->send_overhead_ps;
    if (rendezvous) {
        of->messages.at[place].rendezvous = TRUE;
        of->messages.at[place].envelope_ps = network_send_word(of, rank, (guint32)operation->peer);
    } else {
        network_send_data(of, place, sender->now_ps);
        of->messages.at[place].envelope_ps = of->messages.at[place].arrival_ps;
    }
    matching_send(of, place);
    if (operation->request > 0 && send == NONE)
        request_complete(of, request_make(of, rank, operation->request), sender->now_ps);
    if (operation->request > 0 || send == NONE)
        return TRUE;
    wait_add(of, rank, send);
    return wait_begin(of, rank, HIERA_SIM_ALL);
}

gboolean message_execute_receive(Simulation *of, guint32 rank)
{
    if (!is_sane(of, rank, TRUE))
        return FALSE;
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    guint32 place = request_make(of, rank, operation->request);
    Request *request = &of->requests.at[place];
    request->peer = operation->peer;
    request->tag = operation->tag;
    request->group = operation->group;
    request->key = operation->key;
    matching_post(of, place);
    if (operation->request > 0)
        return TRUE;
    wait_add(of, rank, place);
    return wait_begin(of, rank, HIERA_SIM_ALL);
}
