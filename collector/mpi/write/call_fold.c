/* See call_fold.h. The facts about each function are found once, from its description.
 *
 * A call that starts a request has no message yet. So its node and communicator wait (profile/awaited.h) until a call
 * of any thread completes the request; a persistent send is counted each time it is started. */
#include "call_fold.h"

#include "call_filter.h"
#include "memory/signal_safe_memory.h"
#include "mpi/call/peer_arguments.h"
#include "profile/awaited.h"

#include <mpi.h>
#include <string.h>

typedef enum Sort { ORDINARY, POSTS, PERSISTENT, STARTS, LOOKS, FREES, PROBES, MATCHED, OPENS, CLOSES } Sort;

typedef struct Place {
    uint16_t argument; /* index of the argument in HieraMpiCall; HIERA_NO_ARGUMENT: the function has none */
    uint16_t offset;   /* offset of the argument's value in the record */
} Place;

typedef struct Facts {
    bool is_known;
    bool is_kept;        /* whether no filter concerns the function */
    uint8_t sort;        /* a Sort: what the function does */
    uint8_t way;         /* a HieraPartWay: whether messages go to `peer`, or `peer` is the root */
    uint8_t object_sort; /* a HieraAwaitedSort: whether `object` is a window or a file */
    bool is_plain;       /* whether the function has none of the arguments comm, peer, source, object, message */
    uint16_t bytes;      /* size of the fixed part of the function's records */
    Place comm, peer, source, object, message, flag, request;
} Facts;

static Facts *facts; /* by MPI function */

static bool has(Place place)
{
    return place.argument != HIERA_NO_ARGUMENT;
}

static Place place_of(const HieraMpiCall *call, uint16_t argument)
{
    return (Place){argument, argument == HIERA_NO_ARGUMENT ? 0 : call->arguments[argument].offset};
}

static bool is_named(const HieraMpiCall *call, const char *name)
{
    return strcmp(call->operation, name) == 0;
}

static bool is_persistent(const HieraMpiCall *call)
{
    size_t n = strlen(call->operation);
    return call->sets.started != 0 && n > 5 && strcmp(call->operation + n - 5, "_init") == 0;
}

static Sort sort_of(const HieraMpiCall *call, const Facts *of)
{
    bool has_comm = has(of->comm), has_object = has(of->object);
    bool receives = has(of->source) || has(of->message);
    if (is_persistent(call))
        return PERSISTENT;
    if (call->sets.started != 0 && receives)
        return POSTS;
    if (is_named(call, "start") || is_named(call, "startall"))
        return STARTS;
    if (is_named(call, "request_free"))
        return FREES;
    if (is_named(call, "request_get_status")) /* this function does not free the request: another call completes it */
        return LOOKS;
    if (has(of->message))
        return has_comm ? PROBES : MATCHED;
    if (has_comm && has_object)
        return OPENS;
    return is_named(call, "win_free") || is_named(call, "file_close") ? CLOSES : ORDINARY;
}

static HieraPartWay way_of(const HieraMpiCall *call, const Facts *of)
{
    bool sends = hiera_peer_argument(call, "dest") != HIERA_NO_ARGUMENT;
    if (sends && has(of->source))
        return HIERA_PART_WAY_SEND;
    return !sends && hiera_peer_argument(call, "root") != HIERA_NO_ARGUMENT ? HIERA_PART_WAY_ROOT : HIERA_PART_WAY_ONLY;
}

static Facts find_facts(const HieraMpiCall *call)
{
    HieraPeerArguments places = hiera_peer_arguments(call);
    bool receives = places.source != HIERA_NO_ARGUMENT;
    uint16_t request = call->sets.started ? (uint16_t)__builtin_ctz(call->sets.started) : HIERA_NO_ARGUMENT;
    Facts of = {.is_known = true,
                .is_kept = hiera_call_filter_keeps((unsigned)(call - hiera_mpi_calls)),
                .bytes = call->bytes,
                .comm = place_of(call, places.comm),
                .peer = place_of(call, places.peer),
                .source = place_of(call, places.source),
                .object = place_of(call, places.object),
                .message = place_of(call, hiera_peer_argument(call, "message")),
                .flag = place_of(call, receives ? hiera_peer_argument(call, "flag") : HIERA_NO_ARGUMENT),
                .request = place_of(call, request)};
    bool is_file = hiera_peer_argument(call, "win") == HIERA_NO_ARGUMENT;
    of.object_sort = is_file ? HIERA_AWAITED_FILE : HIERA_AWAITED_WINDOW;
    of.sort = (uint8_t)sort_of(call, &of);
    of.way = (uint8_t)way_of(call, &of);
    of.is_plain = !has(of.comm) && !has(of.peer) && !has(of.source) && !has(of.object) && !has(of.message);
    return of;
}

static const Facts *facts_of(unsigned number)
{
    if (HIERA_UNLIKELY(!facts))
        facts = hiera_memory_new(hiera_mpi_call_count * sizeof *facts);
    if (HIERA_UNLIKELY(!facts))
        return NULL;
    if (HIERA_UNLIKELY(!facts[number].is_known))
        facts[number] = find_facts(&hiera_mpi_calls[number]);
    return &facts[number];
}

/* --- one call, while it is added to the profile --- */

typedef struct Folded {
    HieraProfile *profile;
    HieraProfileNode *node; /* node of the call in the tree; NULL: the call is filtered, or there is no memory */
    const HieraMpiRecord *record;
    const HieraMpiCall *call;
    const Facts *facts;
} Folded;

static inline uint32_t value_of(const Folded *folded, Place place, uint32_t otherwise)
{
    if (!hiera_peer_has(folded->record, place.argument))
        return otherwise;
    uint32_t value;
    memcpy(&value, (const char *)folded->record + place.offset, sizeof value);
    return value;
}

/* Return the call's communicator; for a window or a file, the one that it was made of; HIERA_SUM_NO_COMM: none. */
static uint32_t comm_of(const Folded *folded)
{
    const Facts *of = folded->facts;
    uint32_t comm = value_of(folded, of->comm, 0), object;
    if (comm == 0 && has(of->object) && (object = value_of(folded, of->object, 0)) != 0) {
        const HieraAwaited *opened = hiera_awaited_find((HieraAwaitedSort)of->object_sort, object);
        comm = opened ? opened->comm : 0;
    }
    return comm == 0 ? HIERA_SUM_NO_COMM : comm;
}

/* Count one message or call in its part of the node. `ns`: time that it took; UINT64_MAX: no time of its own. */
static void add_part(HieraProfile *profile, HieraProfileNode *node, HieraPartKey key, uint64_t ns, int64_t sent,
                     int64_t received)
{
    HieraProfilePart *part = hiera_part_find(profile, node, key);
    if (!part)
        return;
    part->calls++;
    if (ns != UINT64_MAX) {
        part->time_ns += ns;
        part->has_time = true;
    }
    hiera_bytes_add(&part->sent, sent);
    hiera_bytes_add(&part->received, received);
}

static void add_size(HieraProfileNode *node, int64_t bytes)
{
    if (bytes >= 0)
        hiera_spread_add(&node->sizes, hiera_spread_bin((uint64_t)bytes), 1);
}

/* --- requests, and messages found by MPI_Mprobe --- */

/* Count a message of the request `of`: it was received, or its persistent send was started, by the call `by`. */
static void count_message(const Folded *by, const HieraAwaited *of, int32_t peer, int64_t bytes)
{
    HieraPartWay way = of->sends ? HIERA_PART_WAY_SEND : HIERA_PART_WAY_RECEIVE;
    if (of->is_single && by->node && of->counts)
        add_part(by->profile, by->node, (HieraPartKey){of->comm, peer, way}, UINT64_MAX, bytes, -1);
    if (!of->node)
        return;
    add_part(of->profile, of->node, (HieraPartKey){of->comm, peer, (HieraPartWay)of->way}, UINT64_MAX, bytes, -1);
    if (!of->sends)
        add_size(of->node, bytes);
}

static bool put(const Folded *folded, const HieraAwaited *awaited)
{
    bool has_room = hiera_awaited_put(awaited);
    if (!has_room && folded->profile)
        folded->profile->lost_messages++;
    return has_room;
}

/* Count the messages of the request `of` that were recorded before the call `by` that posts it, by other threads. */
static void count_early(const Folded *by, const HieraAwaited *of)
{
    HieraAwaited early;
    while (HIERA_UNLIKELY(hiera_awaited_early > 0) && hiera_awaited_take(HIERA_AWAITED_EARLY, of->number, &early))
        if (early.sends == of->sends)
            count_message(by, of, early.sends ? of->peer : early.peer, early.sends ? of->bytes : early.bytes);
}

static void post(const Folded *folded)
{
    const Facts *of = folded->facts;
    HieraAwaited awaited = {.number = value_of(folded, of->request, 0),
                            .sort = HIERA_AWAITED_REQUEST,
                            .stays = of->sort == PERSISTENT,
                            .sends = !has(of->source) && !has(of->message),
                            .way = of->way == HIERA_PART_WAY_SEND ? HIERA_PART_WAY_RECEIVE : HIERA_PART_WAY_ONLY,
                            .comm = comm_of(folded),
                            .peer = (int32_t)value_of(folded, of->peer, (uint32_t)HIERA_NO_PEER),
                            .bytes = folded->record->sent,
                            .is_single = !folded->profile,
                            .counts = of->way != HIERA_PART_WAY_ROOT &&
                                      (has(of->source) || has(of->message) || has(of->peer)),
                            .profile = folded->profile};
    HieraAwaited found;
    awaited.node = awaited.counts ? folded->node : NULL; /* persistent collectives have no messages to count */
    if (has(of->message) && hiera_awaited_take(HIERA_AWAITED_MESSAGE, value_of(folded, of->message, 0), &found))
        awaited.comm = found.comm;
    if (awaited.number == 0)
        return;
    if (!put(folded, &awaited))
        return;
    count_early(folded, &awaited);
}

static void wait_for_post(const Folded *folded, uint32_t number, bool sends, int32_t peer, int64_t bytes)
{
    HieraAwaited early = {.number = number,
                          .sort = HIERA_AWAITED_EARLY,
                          .sends = sends,
                          .comm = HIERA_SUM_NO_COMM,
                          .peer = peer,
                          .bytes = bytes};
    put(folded, &early);
}

static void complete(const Folded *folded, const HieraCompleted *completed)
{
    bool has_message = completed->size != HIERA_NO_STATUS;
    if (completed->number == 0)
        return;
    const HieraAwaited *found = hiera_awaited_find(HIERA_AWAITED_REQUEST, completed->number);
    if (!found) {
        if (has_message)
            wait_for_post(folded, completed->number, false, completed->source, completed->size);
        return;
    }
    if (has_message && !found->sends)
        count_message(folded, found, completed->source, completed->size);
    if (!found->stays)
        hiera_awaited_remove(found);
}

static void start(const Folded *folded, uint32_t number)
{
    const HieraAwaited *of = number != 0 ? hiera_awaited_find(HIERA_AWAITED_REQUEST, number) : NULL;
    if (number != 0 && !of)
        wait_for_post(folded, number, true, HIERA_NO_PEER, -1);
    else if (of && of->sends)
        count_message(folded, of, of->peer, of->bytes);
}

static void start_all(const Folded *folded)
{
    const HieraMpiRecord *record = folded->record;
    for (uint32_t set = hiera_call_present(folded->call->sets.requests, record); set;) {
        uint32_t number;
        memcpy(&number, (const char *)record + hiera_call_next(folded->call, &set)->offset, sizeof number);
        start(folded, number);
    }
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail)) {
        const HieraArgument *argument = hiera_tail_argument(folded->call, tail);
        const HieraTail *contents = hiera_mpi_tail_contents(tail);
        const uint32_t *numbers = (const uint32_t *)(const void *)(contents + 1);
        for (uint32_t i = 0; argument && argument->kind == HIERA_ARGUMENT_NUMBER && i < contents->stored; i++)
            start(folded, numbers[i]);
    }
}

static void free_request(const Folded *folded)
{
    for (uint32_t set = hiera_call_present(folded->call->sets.requests, folded->record); set;) {
        uint32_t number;
        memcpy(&number, (const char *)folded->record + hiera_call_next(folded->call, &set)->offset, sizeof number);
        hiera_awaited_take(HIERA_AWAITED_REQUEST, number, NULL);
    }
}

static uint64_t least(int64_t a, int64_t b)
{
    return (uint64_t)(a < b ? a : b);
}

/* Add the call's waiting times, cut to the call's duration: the two are converted to ns in different ways. */
static void add_waits(const Folded *folded, const HieraTail *tail)
{
    const HieraRecord *head = &folded->record->head;
    const int64_t *waits = (const int64_t *)(const void *)(tail + 1);
    int64_t ns = head->finish > head->start ? hiera_clock_span_ns(head->start, head->finish) : 0;
    uint64_t members = least(waits[HIERA_WAITS_MEMBERS], ns);
    uint64_t completion = least(waits[HIERA_WAITS_COMPLETION], ns - (int64_t)members);
    if (folded->node)
        hiera_waits_add(&folded->node->waits, members, completion, (uint64_t)waits[HIERA_WAITS_EXCHANGE]);
}

/* Handle the requests that the call has completed, and its waiting times. Returns whether it was a test without
 * success. */
static bool complete_all(const Folded *folded)
{
    bool in_vain = false;
    for (const HieraTail *tail = hiera_mpi_next_tail(folded->record, NULL); tail;
         tail = hiera_mpi_next_tail(folded->record, tail)) {
        const HieraTail *contents = hiera_mpi_tail_contents(tail);
        const HieraCompleted *completed = (const HieraCompleted *)(const void *)(contents + 1);
        in_vain = in_vain || tail->argument == HIERA_TAIL_PENDING;
        if (tail->argument == HIERA_TAIL_WAITS)
            add_waits(folded, tail);
        bool completes = tail->argument == HIERA_TAIL_COMPLETION && folded->facts->sort != LOOKS;
        for (uint32_t i = 0; completes && i < contents->stored; i++)
            complete(folded, &completed[i]);
    }
    return in_vain;
}

/* Store a message found by MPI_Mprobe, or a new window or file, with its communicator, for later calls. */
static void keep_object(const Folded *folded, HieraAwaitedSort sort, Place place)
{
    HieraAwaited awaited = {.number = value_of(folded, place, 0),
                            .sort = (uint8_t)sort,
                            .stays = true,
                            .comm = comm_of(folded),
                            .peer = (int32_t)value_of(folded, folded->facts->source, (uint32_t)HIERA_NO_PEER)};
    if (awaited.number != 0 && folded->record->error == MPI_SUCCESS)
        put(folded, &awaited);
}

/* Store what later calls need of this call, also if it is filtered: requests, messages, windows, files. */
static void follow(const Folded *folded)
{
    switch (folded->facts->sort) {
    case POSTS:
    case PERSISTENT:
        post(folded);
        break;
    case STARTS:
        start_all(folded);
        break;
    case FREES:
        free_request(folded);
        break;
    case PROBES:
        keep_object(folded, HIERA_AWAITED_MESSAGE, folded->facts->message);
        break;
    case OPENS:
        keep_object(folded, (HieraAwaitedSort)folded->facts->object_sort, folded->facts->object);
        break;
    case CLOSES:
        hiera_awaited_take((HieraAwaitedSort)folded->facts->object_sort, value_of(folded, folded->facts->object, 0),
                           NULL);
        break;
    default:
        break;
    }
}

/* --- adding a call to the sums of its node --- */

/* Count the receive of a message found by MPI_Mprobe; that call knew the communicator and the peer. */
static void add_matched(const Folded *folded, uint64_t ns)
{
    HieraAwaited found = {.comm = HIERA_SUM_NO_COMM, .peer = HIERA_NO_PEER};
    hiera_awaited_take(HIERA_AWAITED_MESSAGE, value_of(folded, folded->facts->message, 0), &found);
    add_part(folded->profile, folded->node, (HieraPartKey){found.comm, found.peer, HIERA_PART_WAY_ONLY}, ns,
             folded->record->sent, -1);
}

/* Add a call that has ended to its parts of the node. A receive that it has posted counts when its message comes. */
static void add_parts(const Folded *folded, uint64_t ns)
{
    const HieraMpiRecord *record = folded->record;
    const Facts *of = folded->facts;
    bool sends_and_receives = of->way == HIERA_PART_WAY_SEND;
    if (of->sort == MATCHED) {
        add_matched(folded, ns);
        return;
    }
    if (of->sort == PERSISTENT || (of->sort == POSTS && !sends_and_receives))
        return;
    Place peer = has(of->peer) ? of->peer : of->source;
    HieraPartKey key = {comm_of(folded), (int32_t)value_of(folded, peer, (uint32_t)HIERA_NO_PEER),
                        (HieraPartWay)of->way};
    if (key.comm == HIERA_SUM_NO_COMM && key.peer == HIERA_NO_PEER)
        return;
    add_part(folded->profile, folded->node, key, ns, record->sent, sends_and_receives ? -1 : record->received);
    if (sends_and_receives && of->sort != POSTS) {
        HieraPartKey from = {key.comm, (int32_t)value_of(folded, of->source, (uint32_t)HIERA_NO_PEER),
                             HIERA_PART_WAY_RECEIVE};
        add_part(folded->profile, folded->node, from, UINT64_MAX, record->received, -1);
    }
}

static void add_ended(const Folded *folded, const HieraProfileNode *parent, uint64_t finish, bool in_vain)
{
    const HieraMpiRecord *record = folded->record;
    HieraProfileNode *node = folded->node;
    uint64_t start = record->head.start, ns = finish > start ? (uint64_t)hiera_clock_span_ns(start, finish) : 0;
    bool missed = in_vain || value_of(folded, folded->facts->flag, 1) == 0;
    hiera_node_end(folded->profile, node, parent, ns, finish);
    node->missed += missed;
    node->failed += record->error != MPI_SUCCESS;
    node->left += (record->flags & HIERA_MPI_LEFT) != 0;
    hiera_bytes_add(&node->sent, record->sent);
    hiera_bytes_add(&node->received, record->received);
    add_size(node, record->sent);
    if (!folded->facts->is_plain && !missed)
        add_parts(folded, ns);
}

static bool has_lists(const Folded *folded)
{
    return folded->record->head.bytes != folded->facts->bytes && folded->facts->sort != STARTS;
}

/* Find the call's node and facts. Returns false if there is no memory. */
static bool begin(Folded *folded, HieraProfile *profile, const HieraRecord *head)
{
    *folded = (Folded){.profile = profile,
                       .record = (const HieraMpiRecord *)(const void *)head,
                       .call = &hiera_mpi_calls[head->call - HIERA_RECORD_CALLS],
                       .facts = facts_of(head->call - HIERA_RECORD_CALLS)};
    return folded->facts != NULL;
}

void hiera_call_fold(HieraProfile *profile, const HieraRecord *head)
{
    Folded folded;
    HieraProfileNode *parent = hiera_profile_inside(profile);
    uint64_t finish = __atomic_load_n(&head->finish, __ATOMIC_ACQUIRE);
    if (HIERA_UNLIKELY(!begin(&folded, profile, head))) {
        profile->lost++;
        return;
    }
    bool is_filtered = !folded.facts->is_kept && hiera_call_filter_hide(&profile->sums, head);
    if (HIERA_LIKELY(!is_filtered)) {
        folded.node = hiera_node_find(profile, parent, head->call, 0, head->site);
        profile->lost += !folded.node;
    }
    if (HIERA_UNLIKELY(folded.record->flags & HIERA_MPI_HOLDS))
        profile->holder = folded.node;
    bool in_vain = finish != 0 && has_lists(&folded) && complete_all(&folded);
    if (HIERA_LIKELY(folded.node != NULL)) {
        hiera_node_begin(folded.node, head->start);
        if (HIERA_LIKELY(finish != 0))
            add_ended(&folded, parent, finish, in_vain);
        else
            hiera_node_open(folded.node, head->start);
    }
    if (folded.facts->sort != ORDINARY && finish != 0)
        follow(&folded);
}

void hiera_call_follow(const HieraRecord *head)
{
    Folded folded;
    if (!begin(&folded, NULL, head))
        return;
    if (has_lists(&folded))
        complete_all(&folded);
    if (folded.facts->sort == MATCHED)
        hiera_awaited_take(HIERA_AWAITED_MESSAGE, value_of(&folded, folded.facts->message, 0), NULL);
    if (folded.facts->sort != ORDINARY)
        follow(&folded);
}
