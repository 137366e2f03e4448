/* See call_values.h. Values that are not in the record are MISSING; arguments are known only when the call has ended.
 */
#include "call_values.h"

#include "job/job.h"
#include "mpi/handle/comms.h"
#include "mpi/handle/handles.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { PROC_NULL = -1, ROOT = -2, ANY = -3 };

/* Special values are the same as in hiera-transform (hiera_trace.h). In MPI libraries a special rank and a special tag
 * may be the same number. */
static int32_t rank_of(int32_t value)
{
    if (value == MPI_PROC_NULL)
        return PROC_NULL;
    if (value == MPI_ROOT)
        return ROOT;
    if (value == MPI_ANY_SOURCE)
        return ANY;
    return value;
}

static int32_t tag_of(int32_t value)
{
    return value == MPI_ANY_TAG ? ANY : value;
}

static HieraValue peer_of(const HieraCallEvent *event, uint16_t argument, int32_t (*of)(int32_t value))
{
    return hiera_peer_has(event->record, argument)
               ? hiera_value_integer(of((int32_t)hiera_peer_value(event->record, event->call, argument)))
               : hiera_value_missing();
}

/* Return the name of the window or file of a call, which stands for its communicator, as in traces. */
static HieraValue object_of(const HieraCallEvent *event)
{
    uint16_t argument = event->places->object;
    uint32_t own, number = hiera_peer_value(event->record, event->call, argument);
    HieraHandleClass class = (HieraHandleClass)(event->call->arguments[argument].kind - HIERA_ARGUMENT_HANDLE);
    const char *name = hiera_handle_name(class, number, &own);
    if (own == 0)
        return hiera_value_text(name, strlen(name));
    char *text = event->place.probed->id;
    return hiera_value_text(text, (size_t)snprintf(text, HIERA_PROBED_ID, "P%d_%s%u", hiera_job.rank, name, own));
}

/* Return the communicator's name, or else that of the window or file: some calls have both. */
static HieraValue comm_of(const HieraCallEvent *event)
{
    bool has_comm = hiera_peer_has(event->record, event->places->comm);
    if (!has_comm && hiera_peer_has(event->record, event->places->object))
        return object_of(event);
    const char *id =
        has_comm ? hiera_comm_facts(hiera_peer_value(event->record, event->call, event->places->comm))->id : NULL;
    return id ? hiera_value_text(id, strlen(id)) : hiera_value_missing();
}

static HieraValue size_of(int64_t bytes)
{
    return bytes >= 0 ? hiera_value_integer(bytes) : hiera_value_missing();
}

static HieraValue argument_of(HieraProbeVariableId variable, const HieraCallEvent *event)
{
    switch (variable) {
    case HIERA_PROBE_VARIABLE_BYTES:
        return size_of(event->record->sent);
    case HIERA_PROBE_VARIABLE_RECEIVED:
        return size_of(event->record->received);
    case HIERA_PROBE_VARIABLE_PEER:
        return peer_of(event, event->places->peer, rank_of);
    case HIERA_PROBE_VARIABLE_SOURCE:
        return peer_of(event, event->places->source, rank_of);
    case HIERA_PROBE_VARIABLE_TAG:
        return peer_of(event, event->places->tag, tag_of);
    case HIERA_PROBE_VARIABLE_COMM:
        return comm_of(event);
    default: /* HIERA_PROBE_VARIABLE_FAILED */
        return hiera_value_truth(event->record->error != 0);
    }
}

HieraValue hiera_call_time(HieraProbeVariableId variable, const HieraCallEvent *event)
{
    bool has_ended = event->kind != HIERA_EVENT_CALL_BEGIN;
    bool at_start = variable == HIERA_PROBE_VARIABLE_START || (variable == HIERA_PROBE_VARIABLE_TIME && !has_ended);
    if (!at_start && !has_ended)
        return hiera_value_missing();
    /* the later time first: converting it may anchor the clock again, and both times are to be converted by one anchor
     */
    int64_t finish_ns = at_start ? 0 : hiera_probed_ns(event->place.probed, event->record->head.finish);
    int64_t start_ns = hiera_probed_ns(event->place.probed, event->record->head.start);
    if (at_start)
        return hiera_value_duration(start_ns);
    return hiera_value_duration(variable == HIERA_PROBE_VARIABLE_DURATION ? finish_ns - start_ns : finish_ns);
}

HieraValue hiera_call_value(HieraProbeVariableId variable, const void *data)
{
    const HieraCallEvent *event = data;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_EVENT:
        return event->kind == HIERA_EVENT_CALL_BEGIN ? hiera_value_text("begin", 5) : hiera_value_text("end", 3);
    case HIERA_PROBE_VARIABLE_TIME:
    case HIERA_PROBE_VARIABLE_START:
    case HIERA_PROBE_VARIABLE_FINISH:
    case HIERA_PROBE_VARIABLE_DURATION:
        return hiera_call_time(variable, event);
    case HIERA_PROBE_VARIABLE_BYTES:
    case HIERA_PROBE_VARIABLE_RECEIVED:
    case HIERA_PROBE_VARIABLE_PEER:
    case HIERA_PROBE_VARIABLE_SOURCE:
    case HIERA_PROBE_VARIABLE_TAG:
    case HIERA_PROBE_VARIABLE_COMM:
    case HIERA_PROBE_VARIABLE_FAILED:
        return event->kind == HIERA_EVENT_CALL_END ? argument_of(variable, event) : hiera_value_missing();
    default:
        return hiera_probed_value(variable, &event->place);
    }
}
