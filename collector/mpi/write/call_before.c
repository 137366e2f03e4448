/* See call_before.h. The rules are those by which hiera-transform matches (transform/matching/): a message counts
 * on its channel when it is sent, and when its receive is complete or its matched probe has found it; a collective call
 * counts when it begins. */
#include "call_before.h"

#include "call_filter.h"
#include "latest/channels.h"
#include "latest/kept_calls.h"
#include "memory/signal_safe_memory.h"
#include "mpi/call/call_kind.h"
#include "mpi/call/peer_arguments.h"

#include <mpi.h>
#include <string.h>

typedef enum Use { ORDINARY, LOOKS, CANCELS, FREES, CLOSES } Use;

/* What the code below needs to know about an MPI function, found once. */
typedef struct Facts {
    bool is_known, is_kept, is_partitioned;
    HieraCallKind kind, starts;
    Use use;
    HieraPeerArguments places;
    uint16_t rtag, message, flag, window;
} Facts;

static Facts *facts; /* by MPI function */

/* Return what a function does to requests or communicators, by its name, where its kind does not say it. */
static Use use_of(const HieraMpiCall *call)
{
    static const struct {
        const char *begin;
        Use use;
    } rows[] = {{"request_get_status", LOOKS}, {"cancel", CANCELS},    {"request_free", FREES},
                {"win_free", CLOSES},          {"file_close", CLOSES}, {"comm_disconnect", CLOSES},
                {"comm_free", CLOSES}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(call->operation, rows[i].begin, strlen(rows[i].begin)) == 0 && !strstr(call->operation, "keyval"))
            return rows[i].use;
    return ORDINARY;
}

static Facts find_facts(const HieraMpiCall *call)
{
    Facts of = {.is_known = true,
                .is_kept = hiera_call_filter_keeps((unsigned)(call - hiera_mpi_calls)),
                .is_partitioned = hiera_peer_argument(call, "partitions") != HIERA_NO_ARGUMENT,
                .use = use_of(call),
                .places = hiera_peer_arguments(call),
                .rtag = hiera_peer_argument(call, "rtag"),
                .message = hiera_peer_argument(call, "message"),
                .flag = hiera_peer_argument(call, "flag"),
                .window = hiera_peer_argument(call, "win")};
    hiera_call_kinds(call, &of.kind, &of.starts);
    return of;
}

static const Facts *facts_of(unsigned number)
{
    if (!facts)
        facts = hiera_memory_new(hiera_mpi_call_count * sizeof *facts);
    if (facts && !facts[number].is_known)
        facts[number] = find_facts(&hiera_mpi_calls[number]);
    return facts ? &facts[number] : NULL;
}

/* --- one call, while its messages are counted --- */

typedef struct Counted {
    const HieraThread *thread;
    const HieraMpiRecord *record;
    const HieraMpiCall *call;
    const Facts *facts;
} Counted;

static uint32_t value_of(const Counted *counted, uint16_t argument, uint32_t otherwise)
{
    return hiera_peer_has(counted->record, argument) ? hiera_peer_value(counted->record, counted->call, argument)
                                                     : otherwise;
}

static uint32_t comm_of(const Counted *counted)
{
    return value_of(counted, counted->facts->places.comm, 0);
}

static uint32_t started_request(const Counted *counted)
{
    uint32_t set = hiera_call_present(counted->call->sets.started, counted->record), number = 0;
    if (set)
        memcpy(&number, (const char *)counted->record + hiera_call_next(counted->call, &set)->offset, sizeof number);
    return number;
}

/* Whether other ranks may not count this call: it has failed, or may not be in the trace. */
static bool is_unsure(const Counted *counted)
{
    return counted->record->error != MPI_SUCCESS || !counted->facts->is_kept;
}

/* Count an operation on a channel. Returns how many operations the channel had before. */
static uint64_t count(bool unsure, HieraChannelSort sort, uint32_t object, int32_t peer, int32_t tag)
{
    HieraChannel *channel = hiera_channel_find(sort, object, peer, tag);
    if (!channel)
        return HIERA_NO_PLACE;
    channel->is_unsure = channel->is_unsure || unsure;
    return channel->is_unsure ? HIERA_NO_PLACE : channel->count++;
}

static HieraChannelSort sort_of(bool sent, bool parts)
{
    if (sent)
        return parts ? HIERA_CHANNEL_SENT_PARTS : HIERA_CHANNEL_SENT;
    return parts ? HIERA_CHANNEL_RECEIVED_PARTS : HIERA_CHANNEL_RECEIVED;
}

static uint64_t count_message(bool unsure, HieraChannelSort sort, uint32_t comm, int32_t peer, int32_t tag)
{
    return comm != 0 && peer >= 0 && tag >= 0 ? count(unsure, sort, comm, peer, tag) : HIERA_NO_PLACE;
}

/* Return the size of the part of the record to keep: without tails if a list is long or in other memory. */
static size_t bytes_of(const Counted *counted)
{
    enum { MOST = 2 << 10 };
    const HieraMpiRecord *record = counted->record;
    bool whole = record->head.bytes <= MOST;
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail && whole;
         tail = hiera_mpi_next_tail(record, tail))
        whole = tail->stored != HIERA_TAIL_ELSEWHERE;
    return whole ? record->head.bytes : counted->call->bytes;
}

static HieraKeptCall *keep(const Counted *counted, HieraKeptSort sort, uint32_t number, uint64_t place)
{
    const HieraRecord *record =
        counted->facts->is_kept ? &counted->record->head : NULL; /* NULL: a filter leaves the call out of the trace */
    HieraKeptCall *kept = number != 0 ? hiera_kept_call_add(sort, number, record, bytes_of(counted)) : NULL;
    if (!kept)
        return NULL;
    kept->is_unsure = is_unsure(counted);
    kept->thread = counted->thread->number;
    kept->place = place;
    return kept;
}

/* --- requests that a call posts, completes, frees or cancels --- */

/* Count the message of a receive that is complete. Peer and tag that the call posted come before those of the status,
 * as in hiera-transform. */
static void end_receive(const Counted *by, const HieraKeptCall *of, int32_t peer, int32_t tag, int64_t size)
{
    bool has_status = size != HIERA_NO_STATUS;
    int32_t from = of->peer >= 0 || of->peer == MPI_PROC_NULL || !has_status ? of->peer : peer;
    int32_t with = of->tag >= 0 || !has_status ? of->tag : tag;
    if (has_status || !of->is_cancelled)
        count_message(is_unsure(by) || of->is_unsure, sort_of(false, of->is_partitioned), of->comm, from, with);
}

static void end_request(const Counted *by, HieraKeptCall *kept, int32_t peer, int32_t tag, int64_t size)
{
    if (kept->receives)
        end_receive(by, kept, peer, tag, size);
    kept->active -= kept->is_persistent;
    if (!kept->is_persistent)
        hiera_kept_call_remove(kept);
}

/* Keep a request that a call posts: if it is a receive, its message counts when the request is complete. */
static void post(const Counted *counted, uint64_t place)
{
    const Facts *of = counted->facts;
    const HieraPeerArguments *places = &of->places;
    HieraCallKind does = of->starts != HIERA_DOES_LOCAL ? of->starts : of->kind;
    bool both = does == HIERA_DOES_SEND_RECEIVE;
    uint32_t number = started_request(counted);
    HieraKeptCall *kept = keep(counted, HIERA_KEPT_REQUEST, number, place), *early;
    if (!kept)
        return;
    kept->is_persistent = of->starts != HIERA_DOES_LOCAL;
    kept->is_partitioned = of->is_partitioned;
    kept->sends = does == HIERA_DOES_SEND || both;
    kept->receives = (does == HIERA_DOES_RECEIVE || both) && of->message == HIERA_NO_ARGUMENT;
    kept->comm = comm_of(counted);
    kept->peer = (int32_t)value_of(counted, kept->receives ? places->source : places->peer, (uint32_t)MPI_PROC_NULL);
    kept->tag = (int32_t)value_of(counted, both ? of->rtag : places->tag, 0);
    for (bool is_open = true; is_open && (early = hiera_kept_call_find(HIERA_KEPT_EARLY, number));) {
        HieraKeptCall ended = *early;
        is_open = kept->is_persistent;
        hiera_kept_call_remove(early);
        end_request(counted, kept, ended.returned_peer, ended.returned_tag, ended.returned_size);
    }
}

static void complete(const Counted *counted, const HieraCompleted *completed)
{
    HieraKeptCall *kept = completed->number ? hiera_kept_call_find(HIERA_KEPT_REQUEST, completed->number) : NULL;
    if (kept)
        end_request(counted, kept, completed->source, completed->tag, completed->size);
    else if (completed->number && (kept = hiera_kept_call_add(HIERA_KEPT_EARLY, completed->number, NULL, 0))) {
        kept->returned_peer = completed->source;
        kept->returned_tag = completed->tag;
        kept->returned_size = completed->size;
    }
}

static void start(const Counted *counted, uint32_t number)
{
    HieraKeptCall *kept = number ? hiera_kept_call_find(HIERA_KEPT_REQUEST, number) : NULL;
    if (!kept)
        return;
    bool unsure = is_unsure(counted) || kept->is_unsure;
    kept->active++;
    if (kept->sends)
        count_message(unsure, sort_of(true, kept->is_partitioned), kept->comm, kept->peer, kept->tag);
    else if (!kept->receives)
        count(unsure, HIERA_CHANNEL_STARTS, number, 0, 0);
}

/* Mark the channel of a cancelled send as uncertain: the message may or may not be sent. */
static void cancel(const HieraKeptCall *kept)
{
    HieraChannel *channel =
        kept->sends ? hiera_channel_find(HIERA_CHANNEL_SENT, kept->comm, kept->peer, kept->tag) : NULL;
    if (channel)
        channel->is_unsure = true;
}

/* Remove a freed request. If it is an active receive of a known peer, its message counts now: no call completes it. */
static void free_request(const Counted *counted, HieraKeptCall *kept)
{
    if (kept->receives && (!kept->is_persistent || kept->active > 0))
        end_receive(counted, kept, MPI_ANY_SOURCE, MPI_ANY_TAG, HIERA_NO_STATUS);
    hiera_channel_drop(HIERA_CHANNEL_STARTS, kept->number);
    hiera_kept_call_remove(kept);
}

/* Handle a request that a call starts, frees or cancels. */
static void use_request(const Counted *counted, uint32_t number)
{
    HieraKeptCall *kept;
    if (counted->facts->kind == HIERA_DOES_START)
        start(counted, number);
    else if (counted->facts->use != ORDINARY && (kept = hiera_kept_call_find(HIERA_KEPT_REQUEST, number))) {
        if (counted->facts->use == FREES)
            free_request(counted, kept);
        if (counted->facts->use == CANCELS) {
            kept->is_cancelled = true;
            cancel(kept);
        }
    }
}

static void use_requests(const Counted *counted)
{
    const HieraMpiRecord *record = counted->record;
    for (uint32_t set = hiera_call_present(counted->call->sets.requests, record); set;) {
        uint32_t number;
        memcpy(&number, (const char *)record + hiera_call_next(counted->call, &set)->offset, sizeof number);
        use_request(counted, number);
    }
}

static void use_list(const Counted *counted, const HieraTail *tail)
{
    const HieraArgument *argument = hiera_tail_argument(counted->call, tail);
    const HieraTail *contents = hiera_mpi_tail_contents(tail);
    const HieraCompleted *completed = (const HieraCompleted *)(const void *)(contents + 1);
    const uint32_t *numbers = (const uint32_t *)(const void *)(contents + 1);
    bool completes = tail->argument == HIERA_TAIL_COMPLETION && counted->facts->use != LOOKS;
    bool names = argument && argument->kind == HIERA_ARGUMENT_NUMBER;
    for (uint32_t i = 0; i < contents->stored && (completes || names); i++) {
        if (completes)
            complete(counted, &completed[i]);
        else
            use_request(counted, numbers[i]);
    }
}

static void use_lists(const Counted *counted)
{
    const HieraMpiRecord *record = counted->record;
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail))
        use_list(counted, tail);
}

/* --- counting of calls, by the kind of the MPI function --- */

static uint64_t count_send(const Counted *counted)
{
    const HieraPeerArguments *places = &counted->facts->places;
    return count_message(is_unsure(counted), HIERA_CHANNEL_SENT, comm_of(counted),
                         (int32_t)value_of(counted, places->peer, (uint32_t)MPI_PROC_NULL),
                         (int32_t)value_of(counted, places->tag, 0));
}

static uint64_t count_receive(const Counted *counted, uint16_t tag)
{
    return count_message(is_unsure(counted), HIERA_CHANNEL_RECEIVED, comm_of(counted),
                         (int32_t)value_of(counted, counted->facts->places.source, (uint32_t)MPI_PROC_NULL),
                         (int32_t)value_of(counted, tag, 0));
}

/* Handle a call that receives a message found by MPI_Mprobe: the message has been counted already. */
static void take_message(const Counted *counted)
{
    uint32_t number = value_of(counted, counted->facts->message, 0);
    HieraKeptCall *found = number ? hiera_kept_call_find(HIERA_KEPT_MESSAGE, number) : NULL;
    if (found)
        hiera_kept_call_remove(found);
    else if (number != 0)
        hiera_kept_call_add(HIERA_KEPT_TAKEN, number, NULL, 0);
}

static void receive(const Counted *counted)
{
    bool posts = started_request(counted) != 0;
    if (counted->facts->message != HIERA_NO_ARGUMENT)
        take_message(counted);
    else if (!posts)
        count_receive(counted, counted->facts->places.tag);
    if (posts)
        post(counted, HIERA_NO_PLACE);
}

static void send_receive(const Counted *counted)
{
    bool posts = started_request(counted) != 0;
    count_send(counted);
    if (posts)
        post(counted, HIERA_NO_PLACE);
    else
        count_receive(counted, counted->facts->rtag);
}

static void probe(const Counted *counted)
{
    uint32_t number = counted->facts->message != HIERA_NO_ARGUMENT ? value_of(counted, counted->facts->message, 0) : 0;
    if (number == 0)
        return;
    uint64_t place = count_receive(counted, counted->facts->places.tag);
    HieraKeptCall *taken = hiera_kept_call_find(HIERA_KEPT_TAKEN, number);
    if (taken)
        hiera_kept_call_remove(taken);
    else
        keep(counted, HIERA_KEPT_MESSAGE, number, place);
}

/* Count a collective call: on its communicator if that is an argument, else on its window or file. */
static void collective(const Counted *counted)
{
    const Facts *of = counted->facts;
    uint32_t comm = comm_of(counted), object = value_of(counted, of->places.object, 0);
    bool is_window = of->window != HIERA_NO_ARGUMENT, makes = of->places.comm != HIERA_NO_ARGUMENT;
    HieraChannelSort sort = makes ? HIERA_CHANNEL_COLLECTIVE : is_window ? HIERA_CHANNEL_WINDOW : HIERA_CHANNEL_FILE;
    if ((makes ? comm : object) == 0)
        return;
    uint64_t place = count(is_unsure(counted), sort, makes ? comm : object, 0, 0);
    if (makes && object != 0 && counted->record->error == MPI_SUCCESS)
        keep(counted, is_window ? HIERA_KEPT_WINDOW : HIERA_KEPT_FILE, object, place);
    else if (makes && started_request(counted) != 0)
        post(counted, place);
    if (of->use == CLOSES && makes) {
        hiera_channels_free_comm(comm);
    } else if (of->use == CLOSES) {
        hiera_kept_call_remove(hiera_kept_call_find(is_window ? HIERA_KEPT_WINDOW : HIERA_KEPT_FILE, object));
        hiera_channel_drop(sort, object);
    }
}

static void make_persistent(const Counted *counted)
{
    bool is_collective = hiera_call_kind_is_collective(counted->facts->starts);
    post(counted,
         is_collective ? count(is_unsure(counted), HIERA_CHANNEL_INITS, comm_of(counted), 0, 0) : HIERA_NO_PLACE);
}

static void count_call(const Counted *counted)
{
    switch (counted->facts->kind) {
    case HIERA_DOES_SEND: {
        uint64_t place = count_send(counted);
        if (started_request(counted) != 0)
            post(counted, place);
        break;
    }
    case HIERA_DOES_RECEIVE:
        receive(counted);
        break;
    case HIERA_DOES_SEND_RECEIVE:
        send_receive(counted);
        break;
    case HIERA_DOES_PROBE:
        probe(counted);
        break;
    case HIERA_DOES_START:
        use_requests(counted);
        break;
    default:
        if (hiera_call_kind_is_collective(counted->facts->kind))
            collective(counted);
        else if (counted->facts->starts != HIERA_DOES_LOCAL)
            make_persistent(counted);
        else if (counted->facts->use != ORDINARY)
            use_requests(counted);
        break;
    }
}

void hiera_call_count(const HieraThread *thread, const HieraRecord *head)
{
    unsigned number = head->call - HIERA_RECORD_CALLS;
    const Counted counted = {.thread = thread,
                             .record = (const HieraMpiRecord *)(const void *)head,
                             .call = &hiera_mpi_calls[number],
                             .facts = facts_of(number)};
    if (!counted.facts) {
        hiera_kept_is_incomplete = true;
        return;
    }
    if (head->bytes != counted.call->bytes)
        use_lists(&counted);
    count_call(&counted);
}
