/* Calls that a probe script observes: their begin and their end become events. See mpi/call/observed_call.h. */
#include "mpi/call/observed_call.h"

#include "base/settings.h"
#include "call_values.h"
#include "expect/expect.h"
#include "messages.h"
#include "mpi/handle/buffers.h"
#include "mpi/handle/listed.h"
#include "observed.h"
#include "record/own_time.h"

#include <stdlib.h>

static HieraObservedFunction *observed; /* by MPI function; NULL: there was no script yet */
static uint8_t *plain; /* by MPI function: its flag HIERA_FILTERED_ALWAYS or 0 from the time before any script */

const HieraObservedFunction *hiera_observed_function(unsigned call)
{
    return &observed[call];
}

/* --- which functions are observed --- */

/* Whether calls of this function may send, post, receive or free messages. */
static bool has_messages(const HieraObservedFunction *function, const HieraMpiCall *call)
{
    switch (function->kind) {
    case HIERA_DOES_SEND:
    case HIERA_DOES_RECEIVE:
    case HIERA_DOES_SEND_RECEIVE:
    case HIERA_DOES_START:
    case HIERA_DOES_COMPLETE:
        return true;
    case HIERA_DOES_PROBE:
        return function->message != HIERA_NO_ARGUMENT;
    default:
        return function->starts == HIERA_DOES_SEND || function->starts == HIERA_DOES_RECEIVE ||
               strcmp(call->operation, "request_free") == 0;
    }
}

static bool asks_for_waits(void)
{
    HieraClauseSet clauses = hiera_watchers_find(HIERA_PROBE_REGION, NULL);
    return hiera_watchers_narrow(clauses, HIERA_EVENT_REGION_SUSPEND) ||
           hiera_watchers_narrow(clauses, HIERA_EVENT_REGION_RESUME);
}

static HieraObservedFunction describe(const HieraMpiCall *call)
{
    HieraClauseSet clauses = hiera_watchers_find(HIERA_PROBE_CALL, call->operation);
    HieraObservedFunction function = {.begins = hiera_watchers_narrow(clauses, HIERA_EVENT_CALL_BEGIN),
                                      .ends = hiera_watchers_narrow(clauses, HIERA_EVENT_CALL_END),
                                      .places = hiera_peer_arguments(call),
                                      .rtag = hiera_peer_argument(call, "rtag"),
                                      .message = hiera_peer_argument(call, "message"),
                                      .is_partitioned = hiera_peer_argument(call, "partitions") != HIERA_NO_ARGUMENT};
    hiera_call_kinds(call, &function.kind, &function.starts);
    function.suspends = hiera_probe_call_waits(call->operation) && asks_for_waits();
    if (has_messages(&function, call))
        function.messages = hiera_watchers_find(HIERA_PROBE_MESSAGE, NULL);
    return function;
}

/* Set the flags ALWAYS and OBSERVED of a function to `flags`; its other flags stay. */
static void set_flags(unsigned call, uint8_t flags)
{
    const uint8_t ours = HIERA_FILTERED_ALWAYS | HIERA_FILTERED_OBSERVED;
    uint8_t there = __atomic_load_n(&hiera_mpi_filtered[call], __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&hiera_mpi_filtered[call], &there, (uint8_t)((there & ~ours) | flags), false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static bool make_tables(void)
{
    observed = calloc(hiera_mpi_call_count, sizeof *observed);
    plain = calloc(hiera_mpi_call_count, sizeof *plain);
    for (unsigned i = 0; observed && plain && i < hiera_mpi_call_count; i++)
        plain[i] = hiera_mpi_filtered[i] & HIERA_FILTERED_ALWAYS;
    return observed && plain;
}

/* A filter removes calls from the trace, but not from a script. If neither a trace nor rules need the calls that no
 * script observes, these are not recorded. */
void hiera_observed_load(void)
{
    if (observed ? !plain : !hiera_watchers_any() || !make_tables())
        return;
    bool alone = !hiera_settings.trace && !hiera_expect_any() && !hiera_expect_has_source();
    for (unsigned i = 0; i < hiera_mpi_call_count; i++) {
        observed[i] = describe(&hiera_mpi_calls[i]);
        bool is_observed = observed[i].begins | observed[i].ends | observed[i].messages || observed[i].suspends;
        set_flags(i, is_observed ? HIERA_FILTERED_OBSERVED : alone ? HIERA_FILTERED_ALWAYS : plain[i]);
    }
}

/* --- begin and end of a call, as events of scripts --- */

/* Whether a script observes the function of this call. */
static bool is_asked(const HieraMpiRecord *record)
{
    return __atomic_load_n(&hiera_mpi_filtered[record->head.call - HIERA_RECORD_CALLS], __ATOMIC_RELAXED) &
           HIERA_FILTERED_OBSERVED;
}

static const HieraMpiCall *call_of(const HieraMpiRecord *record)
{
    return &hiera_mpi_calls[record->head.call - HIERA_RECORD_CALLS];
}

/* Return where a call happens: in a callback, in the program's thread, not in the state that records callbacks. */
static HieraProbedPlace place_of(HieraThread *state, const HieraMpiRecord *record)
{
    HieraThread *thread = state;
    while (thread->around)
        thread = thread->around;
    return (HieraProbedPlace){.thread = thread,
                              .probed = hiera_probed_of(thread),
                              .site = record->head.site,
                              .name = call_of(record)->operation,
                              .n_around = thread->n_open,
                              .callbacks = state};
}

static HieraCallEvent event_of(HieraThread *thread, const HieraMpiRecord *record, HieraProbeEventKind kind)
{
    return (HieraCallEvent){place_of(thread, record), record, call_of(record),
                            &observed[record->head.call - HIERA_RECORD_CALLS].places, kind};
}

/* Whether the thread begins to wait in this call; false in a callback of a call that waits already. */
static bool suspends(const HieraThread *thread, const HieraMpiRecord *record)
{
    bool does = observed[record->head.call - HIERA_RECORD_CALLS].suspends;
    for (; does && thread->around; thread = thread->around) {
        const HieraMpiRecord *around = hiera_callback_around(thread->around);
        does = !around || !is_asked(around) || !observed[around->head.call - HIERA_RECORD_CALLS].suspends;
    }
    return does;
}

static void fire(const HieraCallEvent *event, HieraClauseSet clauses)
{
    if (clauses)
        hiera_probed_fire(event->place.thread, clauses,
                          &(HieraProbeEvent){.kind = event->kind, .get = hiera_call_value, .data = event});
}

/* Move the record behind the one of the time that the script took, if there is one. The list of the call's requests
 * moves with the record. */
static HieraMpiRecord *move(HieraThread *thread, HieraMpiRecord *record)
{
    bool lists = (record->flags & HIERA_MPI_LISTED) != 0;
    HieraTail listed = lists ? *hiera_listed_place(record) : (HieraTail){0};
    record = hiera_own_time_before(thread, &record->head, record->head.start);
    if (lists)
        *hiera_listed_place(record) = listed;
    return record;
}

void *hiera_observed_begin(HieraThread *thread, HieraMpiRecord *record)
{
    if (!is_asked(record))
        return record;
    const HieraObservedFunction *function = &observed[record->head.call - HIERA_RECORD_CALLS];
    if (!function->begins && !function->messages && !function->suspends)
        return record;
    record->head.start = hiera_clock_ticks();
    HieraCallEvent event = event_of(thread, record, HIERA_EVENT_CALL_BEGIN);
    if (!event.place.probed)
        hiera_probed_lose(function->begins, HIERA_EVENT_CALL_BEGIN);
    if (!event.place.probed)
        return record;
    fire(&event, function->begins);
    if (suspends(thread, record))
        hiera_probed_suspend(event.place.thread, &(HieraWaitingCall){event.place.name, record->head.start, 0});
    if (function->messages)
        hiera_messages_begin(&event);
    return move(thread, record);
}

void hiera_observed_finish(HieraThread *thread, HieraMpiRecord *record, uint64_t finish)
{
    if (hiera_buffers_are_wanted())
        hiera_buffers_after(record);
    if (!is_asked(record)) {
        hiera_mpi_finish(thread, record, finish);
        return;
    }
    const HieraObservedFunction *function = &observed[record->head.call - HIERA_RECORD_CALLS];
    __atomic_store_n(&record->head.finish, finish, __ATOMIC_RELEASE);
    HieraCallEvent event = event_of(thread, record, HIERA_EVENT_CALL_END);
    if (event.place.probed && suspends(thread, record))
        hiera_probed_resume(event.place.thread, &(HieraWaitingCall){event.place.name, record->head.start, finish});
    if (event.place.probed && function->messages)
        hiera_messages_end(&event);
    if (event.place.probed)
        fire(&event, function->ends);
    else
        hiera_probed_lose(function->ends, HIERA_EVENT_CALL_END);
    hiera_own_time(thread, finish);
    thread->inside = 0;
}
