/* Messages between ranks: eager ones leave at once, those with rendezvous when their receive is posted. */
#include "simulation.h"

static gboolean waits_for_receive(const HieraNetwork *network, const Envelope *envelope)
{
    if (envelope->mode == HIERA_SIM_SYNCHRONOUS)
        return TRUE;
    return envelope->mode != HIERA_SIM_READY && envelope->bytes > network->eager_bytes;
}

void message_settle(Simulation *of, guint32 place)
{
    const Message *message = &of->messages.at[place];
    if (message->arrival_ps == UNKNOWN || message->receive == NONE)
        return;
    guint32 receive = message->receive;
    gint64 arrival_ps = message->arrival_ps;
    if (message->acknowledged)
        arrival_ps += network_between(of, message->source, message->dest)->latency_ps;
    message_free(&of->messages, place);
    request_complete(of, receive, MAX(of->requests.at[receive].posted_ps, arrival_ps));
}

static gint64 of_bytes(gint64 bytes, gdouble ps_per_byte)
{
    return simulation_round((gdouble)bytes * ps_per_byte);
}

void message_join(Simulation *of, guint32 place, guint32 receive)
{
    Message *message = &of->messages.at[place];
    Request *request = &of->requests.at[receive];
    const HieraNetwork *network = network_between(of, message->source, message->dest);
    if (of->feeder->matched && !(message->group & INTERNAL))
        of->feeder->matched(of->feeder->context, message->source, message->token, message->dest, request->token);
    message->receive = receive;
    request->begun_ps = message->begun_ps;
    request->cost_ps = network->receive_overhead_ps;
    if (request->combines)
        request->cost_ps += of_bytes(message->bytes, network->reduce_ps_per_byte);
    if (!message->rendezvous) {
        request->cost_ps += of_bytes(message->bytes, network->receive_copy_ps_per_byte);
        message_settle(of, place);
        return;
    }
    if (message->send != NONE)
        of->requests.at[message->send].begun_ps = request->posted_ps;
    gint64 met_ps = MAX(message->envelope_ps, request->posted_ps);
    if (network->progress_in_calls)
        simulation_put(of, met_ps, EVENT_MEET, place);
    else
        simulation_put(of, met_ps + network->latency_ps, EVENT_CLEAR, place);
}

/* Send the receiver's clear-to-send to the sender of a message with rendezvous. */
static void answer(Simulation *of, guint32 place, gint64 time_ps)
{
    const Message *message = &of->messages.at[place];
    const HieraNetwork *network = network_between(of, message->source, message->dest);
    simulation_put(of, time_ps + network->latency_ps, EVENT_CLEAR, place);
}

/* Whether a rank's current operation is an MPI call that blocks, so that the rank makes rendezvous progress. */
static gboolean waits_in_call(const Rank *rank)
{
    const HieraSimOperation *operation = &rank->operation;
    switch (operation->kind) {
    case HIERA_SIM_COMPUTE:
    case HIERA_SIM_PUT:
    case HIERA_SIM_GET:
        return FALSE;
    case HIERA_SIM_SEND:
    case HIERA_SIM_RECEIVE:
    case HIERA_SIM_COLLECTIVE:
        return operation->request == 0;
    default:
        return TRUE;
    }
}

void message_meet(Simulation *of, guint32 place, gint64 time_ps)
{
    Rank *receiver = &of->ranks[of->messages.at[place].dest];
    if (receiver->state == ENDED || waits_in_call(receiver)) {
        answer(of, place, time_ps);
        return;
    }
    if (!receiver->held)
        receiver->held = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_val(receiver->held, place);
}

void message_let_go_on(Simulation *of, guint32 rank)
{
    Rank *receiver = &of->ranks[rank];
    if (!receiver->held)
        return;
    for (guint i = 0; i < receiver->held->len; i++) {
        guint32 place = g_array_index(receiver->held, guint32, i), send = of->messages.at[place].send;
        if (send != NONE)
            of->requests.at[send].begun_ps = receiver->now_ps;
        answer(of, place, receiver->now_ps);
    }
    g_array_set_size(receiver->held, 0);
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

static guint32 make_message(Simulation *of, guint32 rank, const Envelope *envelope)
{
    guint32 place = message_new(&of->messages);
    Message *message = &of->messages.at[place];
    message->source = rank;
    message->dest = envelope->peer;
    message->receive = message->send = NONE;
    message->group = envelope->group;
    message->tag = envelope->tag;
    message->key = envelope->key;
    message->token = of->ranks[rank].operation.token;
    message->bytes = envelope->bytes;
    message->begun_ps = of->ranks[rank].now_ps;
    message->arrival_ps = UNKNOWN;
    return place;
}

guint32 message_send(Simulation *of, guint32 rank, const Envelope *envelope)
{
    const HieraNetwork *network = network_between(of, rank, envelope->peer);
    guint32 place = make_message(of, rank, envelope), send = NONE;
    gboolean rendezvous = waits_for_receive(network, envelope);
    if (envelope->number > 0 || (rendezvous && envelope->mode != HIERA_SIM_BUFFERED)) {
        send = request_make(of, rank, envelope->number);
        of->requests.at[send].peer = (gint32)envelope->peer;
    }
    of->ranks[rank].now_ps += network->send_overhead_ps;
    if (!rendezvous)
        of->ranks[rank].now_ps += of_bytes(envelope->bytes, network->send_copy_ps_per_byte);
    Message *message = &of->messages.at[place];
    if (rendezvous) {
        message->send = envelope->mode == HIERA_SIM_BUFFERED ? NONE : send;
        message->rendezvous = TRUE;
        message->envelope_ps = network_send_word(of, rank, envelope->peer);
    } else {
        message->envelope_ps = network_send_data(of, place, of->ranks[rank].now_ps);
    }
    if (send != NONE && message->send == NONE)
        request_complete(of, send, of->ranks[rank].now_ps);
    matching_send(of, place);
    return send;
}

guint32 message_receive(Simulation *of, guint32 rank, const Envelope *envelope)
{
    guint32 place = request_make(of, rank, envelope->number);
    Request *request = &of->requests.at[place];
    request->peer = envelope->peer == NONE ? HIERA_SIM_ANY : (gint32)envelope->peer;
    request->tag = envelope->tag;
    request->group = envelope->group;
    request->key = envelope->key;
    request->token = of->ranks[rank].operation.token;
    request->combines = envelope->combines;
    matching_post(of, place);
    return place;
}

static Envelope envelope_of(const HieraSimOperation *operation)
{
    guint32 peer = operation->peer == HIERA_SIM_ANY ? NONE : (guint32)operation->peer;
    return (Envelope){.peer = peer,
                      .group = operation->group,
                      .tag = operation->tag,
                      .key = operation->key,
                      .number = operation->request,
                      .bytes = operation->bytes,
                      .mode = operation->mode};
}

/* Add the CPU time of making a request, if the rank's operation is non-blocking. */
static void begin_request(Simulation *of, guint32 rank)
{
    Rank *begins = &of->ranks[rank];
    gint32 peer = begins->operation.peer;
    if (begins->operation.request > 0)
        begins->now_ps +=
            (peer < 0 ? &of->machine->between : network_between(of, rank, (guint32)peer))->request_overhead_ps;
}

gboolean message_execute_send(Simulation *of, guint32 rank)
{
    const HieraSimOperation *operation = &of->ranks[rank].operation;
    if (!is_sane(of, rank, FALSE))
        return FALSE;
    begin_request(of, rank);
    const Envelope envelope = envelope_of(operation);
    guint32 send = message_send(of, rank, &envelope);
    of->result->ranks[rank].n_messages++;
    of->result->ranks[rank].n_bytes += (guint64)operation->bytes;
    if (operation->request > 0 || send == NONE)
        return TRUE;
    wait_add(of, rank, send);
    return wait_begin(of, rank, HIERA_SIM_ALL);
}

gboolean message_execute_receive(Simulation *of, guint32 rank)
{
    if (!is_sane(of, rank, TRUE))
        return FALSE;
    begin_request(of, rank);
    const Envelope envelope = envelope_of(&of->ranks[rank].operation);
    guint32 receive = message_receive(of, rank, &envelope);
    if (envelope.number > 0)
        return TRUE;
    wait_add(of, rank, receive);
    return wait_begin(of, rank, HIERA_SIM_ALL);
}
