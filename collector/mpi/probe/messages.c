/* See messages.h. A message is sent when its call begins, or when a persistent request is started; it is received when
 * the call ends that completes the receive. Facts about the request that are needed then are stored by the call that
 * posts it. */
#include "messages.h"

#include "message_order.h"
#include "message_values.h"
#include "mpi/call/array_arguments.h"
#include "mpi/handle/requests.h"
#include "observed.h"
#include "posted.h"

#include <mpi.h>
#include <sched.h>
#include <string.h>

/* Spin lock of the posted requests and of the order of messages; never held while a clause of a script runs. */
static bool lock;

static void lock_tables(void)
{
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void unlock_tables(void)
{
    __atomic_clear(&lock, __ATOMIC_RELEASE);
}

static const HieraObservedFunction *function_of(const HieraCallEvent *event)
{
    return hiera_observed_function(event->record->head.call - HIERA_RECORD_CALLS);
}

static uint32_t value_of(const HieraCallEvent *event, uint16_t argument, uint32_t otherwise)
{
    return hiera_peer_has(event->record, argument) ? hiera_peer_value(event->record, event->call, argument) : otherwise;
}

static uint32_t comm_of(const HieraCallEvent *event)
{
    return value_of(event, event->places->comm, 0);
}

static void fire(const HieraCallEvent *event, const HieraMessageEvent *message)
{
    HieraMessageEvent of_call = *message;
    of_call.call = event;
    hiera_probed_fire(event->place.thread, function_of(event)->messages,
                      &(HieraProbeEvent){.kind = of_call.kind, .get = hiera_message_value, .data = &of_call});
}

/* --- sent messages --- */

static void send(const HieraCallEvent *event, const HieraPosted *of, bool has_order)
{
    HieraMessageEvent message = {
        .kind = HIERA_EVENT_SEND, .comm = of->comm, .peer = of->peer, .tag = of->tag, .bytes = of->bytes};
    if (of->peer == MPI_PROC_NULL)
        return;
    if (has_order) {
        lock_tables();
        message.number = hiera_order_send(of->comm, of->peer, of->tag, event->place.thread->number);
        unlock_tables();
    }
    fire(event, &message);
}

void hiera_messages_begin(const HieraCallEvent *event)
{
    HieraCallKind kind = function_of(event)->kind;
    if (kind != HIERA_DOES_SEND && kind != HIERA_DOES_SEND_RECEIVE)
        return;
    send(event,
         &(HieraPosted){.comm = comm_of(event),
                        .peer = (int32_t)value_of(event, event->places->peer, (uint32_t)MPI_PROC_NULL),
                        .tag = (int32_t)value_of(event, event->places->tag, 0),
                        .bytes = event->record->sent},
         true);
}

/* --- received messages --- */

/* Describe the receive that a call posts (MPI_Irecv) or completes itself (MPI_Recv). */
static HieraPosted receive_of(const HieraCallEvent *event)
{
    const HieraObservedFunction *function = function_of(event);
    bool both = function->kind == HIERA_DOES_SEND_RECEIVE;
    HieraPosted posted = {.comm = comm_of(event),
                          .peer = (int32_t)value_of(event, event->places->source, (uint32_t)MPI_PROC_NULL),
                          .tag = (int32_t)value_of(event, both ? function->rtag : event->places->tag, 0),
                          .receives = true,
                          .bytes = both ? event->record->received : event->record->sent};
    posted.has_no_status = both && !HIERA_STATUS_OF_ISENDRECV;
    posted.is_wild = posted.peer == MPI_ANY_SOURCE || posted.tag == MPI_ANY_TAG ||
                     event->record->flags & (HIERA_MPI_POSTED_ANY | HIERA_MPI_POSTED_ANY_TAG);
    return posted;
}

/* Set the number of a posted receive's message, if that is known before the message comes. */
static void order(HieraPosted *posted, unsigned thread)
{
    if (posted->is_partitioned)
        return;
    if (posted->is_wild)
        hiera_order_post_wildcard(posted->comm, thread);
    else
        posted->number = hiera_order_receive(posted->comm, posted->peer, posted->tag, thread);
}

/* Return the event of a receive that is complete. */
static HieraMessageEvent end_receive(const HieraPosted *posted, int32_t source, int32_t tag, int64_t bytes)
{
    HieraMessageEvent message = {HIERA_EVENT_RECEIVE, NULL, posted->comm, source, tag, bytes, posted->number};
    if (posted->is_wild)
        message.number = hiera_order_end_wildcard(posted->comm, source, tag);
    return message;
}

/* Describe the receive of a message found by MPI_Mprobe; false: it is another receive. Such messages get no number. */
static bool take_matched(const HieraCallEvent *event, HieraPosted *posted)
{
    uint16_t message = function_of(event)->message;
    if (message == HIERA_NO_ARGUMENT)
        return false;
    HieraPosted *found = hiera_posted_find(HIERA_POSTED_MESSAGE, value_of(event, message, 0));
    int64_t bytes = posted->bytes;
    if (found) {
        *posted = *found;
        hiera_posted_remove(found);
        hiera_order_lose(posted->comm);
    }
    posted->bytes = bytes;
    posted->number = 0;
    posted->is_wild = false;
    return true;
}

static uint32_t started_request(const HieraCallEvent *event)
{
    uint32_t set = hiera_call_present(event->call->sets.started, event->record), number = 0;
    if (set)
        memcpy(&number, (const char *)event->record + hiera_call_next(event->call, &set)->offset, sizeof number);
    return number;
}

static void keep(uint32_t request, const HieraPosted *posted)
{
    HieraPosted *kept = request ? hiera_posted_make(HIERA_POSTED_REQUEST, request) : NULL;
    if (!kept)
        return;
    HieraItemKey key = kept->key;
    *kept = *posted;
    kept->key = key;
}

static void receive(const HieraCallEvent *event)
{
    HieraPosted posted = receive_of(event);
    bool begins = event->call->sets.started != 0;
    HieraMessageEvent message;
    lock_tables();
    bool matched = take_matched(event, &posted),
         is_message = posted.peer != MPI_PROC_NULL || (matched && posted.comm == 0);
    if (is_message && !matched)
        order(&posted, event->place.thread->number);
    if (is_message && begins)
        keep(started_request(event), &posted);
    else if (is_message)
        message = end_receive(&posted, posted.peer, posted.tag, posted.bytes);
    unlock_tables();
    if (is_message && !begins)
        fire(event, &message);
}

/* --- requests that a call starts, completes or frees --- */

static void make_persistent(const HieraCallEvent *event)
{
    const HieraObservedFunction *function = function_of(event);
    bool receives = function->starts == HIERA_DOES_RECEIVE;
    HieraPosted posted = receive_of(event);
    posted.receives = receives;
    posted.is_persistent = true;
    posted.is_partitioned = function->is_partitioned;
    if (!receives)
        posted.peer = (int32_t)value_of(event, event->places->peer, (uint32_t)MPI_PROC_NULL);
    posted.bytes = event->record->sent;
    lock_tables();
    keep(started_request(event), &posted);
    unlock_tables();
}

static void start(const HieraCallEvent *event, uint32_t request)
{
    lock_tables();
    HieraPosted *posted = hiera_posted_find(HIERA_POSTED_REQUEST, request), copy = {.peer = MPI_PROC_NULL};
    if (posted)
        posted->is_active = true;
    if (posted && posted->receives && posted->peer != MPI_PROC_NULL)
        order(posted, event->place.thread->number);
    if (posted && !posted->receives)
        copy = *posted;
    unlock_tables();
    send(event, &copy, !copy.is_partitioned);
}

/* Whether this is a receive that is now complete. A call may be given a persistent request that is not active. */
static bool ends_receive(HieraPosted *posted)
{
    bool ends = posted && posted->receives && (!posted->is_persistent || posted->is_active);
    if (posted)
        posted->is_active = false;
    return ends;
}

static void complete(const HieraCallEvent *event, const HieraCompleted *completed)
{
    HieraMessageEvent message;
    lock_tables();
    HieraPosted *posted = hiera_posted_find(HIERA_POSTED_REQUEST, completed->number);
    bool receives = ends_receive(posted), has_status = completed->size != HIERA_NO_STATUS;
    bool received = receives && (has_status ? completed->source != MPI_PROC_NULL : posted->has_no_status);
    if (received)
        message = end_receive(posted, has_status ? completed->source : posted->peer,
                              has_status ? completed->tag : posted->tag, has_status ? completed->size : -1);
    else if (receives && !has_status)
        hiera_order_lose(posted->comm);
    if (posted && !posted->is_persistent)
        hiera_posted_remove(posted);
    unlock_tables();
    if (received)
        fire(event, &message);
}

static void forget(uint32_t request)
{
    lock_tables();
    HieraPosted *posted = hiera_posted_find(HIERA_POSTED_REQUEST, request);
    if (posted)
        hiera_posted_remove(posted);
    unlock_tables();
}

/* Handle the requests in a call's arguments, which the call starts (`starts`) or frees. */
static void each_request(const HieraCallEvent *event, bool starts)
{
    for (uint32_t set = hiera_call_present(event->call->sets.requests, event->record); set;) {
        uint32_t number;
        memcpy(&number, (const char *)event->record + hiera_call_next(event->call, &set)->offset, sizeof number);
        if (starts)
            start(event, number);
        else
            forget(number);
    }
}

static void each_listed(const HieraCallEvent *event, const HieraTail *tail)
{
    const HieraArgument *argument = hiera_tail_argument(event->call, tail);
    const HieraCompleted *completed = (const HieraCompleted *)(const void *)(tail + 1);
    const uint32_t *numbers = (const uint32_t *)(const void *)(tail + 1);
    for (uint32_t i = 0; tail->argument == HIERA_TAIL_COMPLETION && i < tail->stored; i++)
        complete(event, &completed[i]);
    for (uint32_t i = 0; argument && argument->kind == HIERA_ARGUMENT_NUMBER && i < tail->stored; i++)
        start(event, numbers[i]);
}

/* --- matched probes (MPI_Mprobe) --- */

static void keep_matched(const HieraCallEvent *event)
{
    uint32_t number = value_of(event, function_of(event)->message, 0);
    HieraPosted posted = receive_of(event);
    lock_tables();
    HieraPosted *kept = number ? hiera_posted_make(HIERA_POSTED_MESSAGE, number) : NULL;
    if (kept) {
        posted.key = kept->key;
        *kept = posted;
    }
    unlock_tables();
}

static void end_call(const HieraCallEvent *event)
{
    const HieraObservedFunction *function = function_of(event);
    switch (function->kind) {
    case HIERA_DOES_RECEIVE:
    case HIERA_DOES_SEND_RECEIVE:
        receive(event);
        break;
    case HIERA_DOES_START:
        each_request(event, true);
        break;
    case HIERA_DOES_PROBE:
        keep_matched(event);
        break;
    case HIERA_DOES_LOCAL:
        if (function->starts == HIERA_DOES_SEND || function->starts == HIERA_DOES_RECEIVE)
            make_persistent(event);
        else
            each_request(event, false);
        break;
    default:
        break;
    }
}

void hiera_messages_end(const HieraCallEvent *event)
{
    if (event->record->error == 0)
        end_call(event);
    if (event->record->head.bytes == event->call->bytes)
        return;
    for (const HieraTail *tail = hiera_mpi_next_tail(event->record, NULL); tail;
         tail = hiera_mpi_next_tail(event->record, tail))
        each_listed(event, hiera_mpi_tail_contents(tail));
}
