/* Matching of messages and receives. Where no receive has a wildcard, they are matched as soon as both have begun: the
 * queue of a channel has either messages or receives. Otherwise messages are matched when they arrive, in MPI's order:
 * with the first posted receive that matches, or the first arrived message. */
#include "simulation.h"

static PlaceKey channel_key(guint64 key, guint32 source, guint32 dest, guint32 group, gint32 tag)
{
    if (key > 0)
        return (PlaceKey){G_MAXUINT64, key};
    return (PlaceKey){(guint64)source << 32 | dest, (guint64)group << 32 | (guint32)tag};
}

static PlaceKey key_of_message(const Message *message)
{
    return channel_key(message->key, message->source, message->dest, message->group, message->tag);
}

static PlaceKey key_of_receive(const Request *request)
{
    return channel_key(request->key, (guint32)request->peer, request->rank, request->group, request->tag);
}

static gboolean is_by_arrival(const Simulation *of, guint64 key, guint32 group)
{
    return of->feeder->wildcards && key == 0 && !(group & INTERNAL);
}

static void match_message(Simulation *of, guint32 place)
{
    PlaceKey key = key_of_message(&of->messages.at[place]);
    Place *channel = places_find(&of->channels, key);
    if (channel && channel->receives) {
        guint32 receive = channel->first;
        channel->first = of->requests.at[receive].next;
        if (channel->first == NONE)
            places_remove(&of->channels, channel);
        message_join(of, place, receive);
    } else if (channel) {
        of->messages.at[channel->last].next = place;
        channel->last = place;
    } else {
        channel = places_add(&of->channels, key);
        channel->first = channel->last = place;
        channel->receives = FALSE;
    }
}

static void match_receive(Simulation *of, guint32 place)
{
    PlaceKey key = key_of_receive(&of->requests.at[place]);
    Place *channel = places_find(&of->channels, key);
    if (channel && !channel->receives) {
        guint32 message = channel->first;
        channel->first = of->messages.at[message].next;
        if (channel->first == NONE)
            places_remove(&of->channels, channel);
        message_join(of, message, place);
    } else if (channel) {
        of->requests.at[channel->last].next = place;
        channel->last = place;
    } else {
        channel = places_add(&of->channels, key);
        channel->first = channel->last = place;
        channel->receives = TRUE;
    }
}

static gboolean takes(const Request *request, const Message *message)
{
    return request->group == message->group && (request->peer < 0 || (guint32)request->peer == message->source) &&
           (request->tag < 0 || request->tag == message->tag);
}

void matching_send(Simulation *of, guint32 place)
{
    const Message *message = &of->messages.at[place];
    if (is_by_arrival(of, message->key, message->group))
        simulation_put(of, message->envelope_ps, EVENT_ARRIVE, place);
    else
        match_message(of, place);
}

void matching_arrive(Simulation *of, guint32 place)
{
    const Message *message = &of->messages.at[place];
    Rank *rank = &of->ranks[message->dest];
    guint32 before = NONE;
    for (guint32 at = rank->first_posted; at != NONE; before = at, at = of->requests.at[at].next) {
        if (!takes(&of->requests.at[at], message))
            continue;
        guint32 next = of->requests.at[at].next;
        *(before == NONE ? &rank->first_posted : &of->requests.at[before].next) = next;
        rank->last_posted = next == NONE ? before : rank->last_posted;
        message_join(of, place, at);
        return;
    }
    *(rank->first_unexpected == NONE ? &rank->first_unexpected : &of->messages.at[rank->last_unexpected].next) = place;
    rank->last_unexpected = place;
}

void matching_post(Simulation *of, guint32 place)
{
    const Request *request = &of->requests.at[place];
    Rank *rank = &of->ranks[request->rank];
    guint32 before = NONE;
    if (!is_by_arrival(of, request->key, request->group)) {
        match_receive(of, place);
        return;
    }
    for (guint32 at = rank->first_unexpected; at != NONE; before = at, at = of->messages.at[at].next) {
        if (!takes(request, &of->messages.at[at]))
            continue;
        guint32 next = of->messages.at[at].next;
        *(before == NONE ? &rank->first_unexpected : &of->messages.at[before].next) = next;
        rank->last_unexpected = next == NONE ? before : rank->last_unexpected;
        message_join(of, at, place);
        return;
    }
    *(rank->first_posted == NONE ? &rank->first_posted : &of->requests.at[rank->last_posted].next) = place;
    rank->last_posted = place;
}
