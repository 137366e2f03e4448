/* See message_values.h. &sent is missing: only the sender knows when a message was sent. */
#include "message_values.h"

#include "job/job.h"
#include "job/rank_list.h"
#include "mpi/handle/comms.h"

#include <stdio.h>
#include <string.h>

/* Return the rank in MPI_COMM_WORLD of the sender or receiver at the other end; -1: not known. */
static long peer_of(const HieraMessageEvent *event)
{
    const HieraComm *facts = hiera_comm_facts(event->comm);
    const char *ranks = facts->remote ? facts->remote : facts->ranks;
    return ranks && event->peer >= 0 ? hiera_rank_list_at(ranks, event->peer) : -1;
}

static HieraValue known(int64_t number)
{
    return number >= 0 ? hiera_value_integer(number) : hiera_value_missing();
}

static HieraValue rank_of(const HieraMessageEvent *event, bool sender)
{
    bool own = sender == (event->kind == HIERA_EVENT_SEND);
    return own ? hiera_value_integer(hiera_job.rank) : known(peer_of(event));
}

static HieraValue id_of(const HieraMessageEvent *event)
{
    char *text = event->call->place.probed->id;
    const char *comm = hiera_comm_facts(event->comm)->id;
    long peer = peer_of(event), from = event->kind == HIERA_EVENT_SEND ? hiera_job.rank : peer,
         to = event->kind == HIERA_EVENT_SEND ? peer : hiera_job.rank;
    if (event->number == 0 || !comm || peer < 0)
        return hiera_value_missing();
    int n = snprintf(text, HIERA_PROBED_ID, "%s/%ld>%ld/%d/%llu", comm, from, to, event->tag,
                     (unsigned long long)event->number);
    return n < HIERA_PROBED_ID ? hiera_value_text(text, (size_t)n) : hiera_value_missing();
}

static HieraValue time_of(const HieraMessageEvent *event)
{
    bool sends = event->kind == HIERA_EVENT_SEND;
    return hiera_call_time(sends ? HIERA_PROBE_VARIABLE_START : HIERA_PROBE_VARIABLE_TIME, event->call);
}

HieraValue hiera_message_value(HieraProbeVariableId variable, const void *data)
{
    const HieraMessageEvent *event = data;
    const char *comm = hiera_comm_facts(event->comm)->id;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_EVENT:
        return event->kind == HIERA_EVENT_SEND ? hiera_value_text("send", 4) : hiera_value_text("receive", 7);
    case HIERA_PROBE_VARIABLE_TIME:
        return time_of(event);
    case HIERA_PROBE_VARIABLE_BYTES:
        return known(event->bytes);
    case HIERA_PROBE_VARIABLE_TAG:
        return known(event->tag);
    case HIERA_PROBE_VARIABLE_COMM:
        return comm ? hiera_value_text(comm, strlen(comm)) : hiera_value_missing();
    case HIERA_PROBE_VARIABLE_SOURCE:
    case HIERA_PROBE_VARIABLE_TARGET:
        return rank_of(event, variable == HIERA_PROBE_VARIABLE_SOURCE);
    case HIERA_PROBE_VARIABLE_MESSAGE_ID:
        return id_of(event);
    case HIERA_PROBE_VARIABLE_SENT:
        return hiera_value_missing();
    default:
        return hiera_probed_value(variable, &event->call->place);
    }
}
