/* See requests.h. The number of a request is stored with its handle until the request is complete, that is until MPI
 * has set it to MPI_REQUEST_NULL.
 *
 * MPI may return the same handle again before that, for two reasons. First, some MPI libraries return one shared handle
 * for all requests that are complete at once; then it is unknown which of them a call completes. Second, another thread
 * has just completed the last request of the handle, or a call that Hiera did not see has completed it.
 *
 * Once a handle is used again, its numbers go through a FIFO queue of the handle: the number that is there, and from
 * then on the numbers of all its plain requests. Each number is taken out once. After a completion that Hiera did not
 * see, the plain requests of that handle stay one number behind. A request with its own handle (receives and persistent
 * requests, flag OWN) never enters the queue: the thread that completes it has saved its number.
 *
 * No thread waits for another: a number is in the queue before the slot refers to the queue. */
#include "requests.h"

#include "base/kept.h"
#include "base/life.h"
#include "handle_map.h"
#include "listed.h"
#include "memory/taken_memory.h"
#include "mpi/call/array_arguments.h"
#include "mpi/call/handle_classes.h"
#include "number_queue.h"
#include "request_scratch.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Flags above the 32-bit number in the value of a request or handle. */
#define RECEIVES   (UINT64_C(1) << 32)
#define OWN        (UINT64_C(1) << 33) /* the handle belongs to one request only */
#define UNRECORDED (UINT64_C(1) << 34) /* the request has no number */
#define SHARED     (UINT64_C(1) << 35) /* the value itself has no number: the oldest one is in the handle's queue */
#define QUEUE                                                                                                          \
    (~UINT64_C(0) << 40) /* 1 + index of the handle's queue, which never changes; 0: the handle has no queue */

enum { SORT_SHIFT = 32, QUEUE_SHIFT = 40, QUEUES = 256 };

static HieraHandleMap requests HIERA_KEPT;
static uint32_t last_number;
static uint32_t other_starts; /* number of requests that were started without a new number, or got another handle */
static HieraNumberQueue queues[QUEUES] HIERA_KEPT;
static uint64_t queues_used[QUEUES / 64]; /* bit i: queues[i] is in use */

bool hiera_requests_by_one_thread;

/* Set the value of a slot if the old one is *there. Else return false, and *there becomes the value that it has now. */
static inline bool exchange(HieraHandleSlot *slot, uint64_t *there, uint64_t value)
{
    if (!hiera_requests_by_one_thread)
        return __atomic_compare_exchange_n(&slot->value, there, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    uint64_t now = __atomic_load_n(&slot->value, __ATOMIC_RELAXED);
    bool same = now == *there;
    if (same)
        __atomic_store_n(&slot->value, value, __ATOMIC_RELEASE);
    *there = now;
    return same;
}

static inline uint32_t next_number(void)
{
    if (!hiera_requests_by_one_thread)
        return __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
    return ++last_number;
}

static HieraNumberQueue *queue_of(uint64_t value)
{
    return &queues[(value >> QUEUE_SHIFT) - 1];
}

/* Reserve a queue; returns its QUEUE bits of a value, 0 if all queues are in use. */
static uint64_t take_queue(void)
{
    for (uint64_t i = 0; i < QUEUES; i++) {
        uint64_t *word = &queues_used[i / 64], bit = UINT64_C(1) << i % 64;
        if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit) && !(__atomic_fetch_or(word, bit, __ATOMIC_ACQ_REL) & bit))
            return (i + 1) << QUEUE_SHIFT;
    }
    return 0;
}

/* Release a queue that is empty and that no slot refers to. */
static void give_back_queue(uint64_t queue)
{
    uint64_t i = (queue >> QUEUE_SHIFT) - 1;
    __atomic_fetch_and(&queues_used[i / 64], ~(UINT64_C(1) << i % 64), __ATOMIC_ACQ_REL);
}

/* Begin a queue for a handle whose slot has the value *there and gets a second one. No other thread sees the queue
 * before it is in the slot. If the slot has changed meanwhile, return false, and *there becomes its present value. */
static bool begin_queue(HieraHandleSlot *slot, uint64_t *there, uint64_t value, uint64_t queue)
{
    hiera_queue_add(queue_of(queue), *there);
    if (!(value & OWN))
        hiera_queue_add(queue_of(queue), value);
    if (exchange(slot, there, (value & OWN ? value : SHARED) | queue))
        return true;
    while (hiera_queue_take(queue_of(queue)) != 0)
        ;
    return false;
}

/* Store the value of a new request whose handle is still in use, or has no slot yet. */
static __attribute__((noinline)) void start_again(MPI_Request request, uint64_t value)
{
    HieraHandleSlot *slot = hiera_map_make_slot(&requests, HIERA_KEY(request));
    uint64_t there = slot ? __atomic_load_n(&slot->value, __ATOMIC_ACQUIRE) : 0;
    bool queued = false, done = slot == NULL;
    while (!done) {
        uint64_t queue = there & QUEUE, mine = value;
        if (there != 0 && queue == 0 && !(there & OWN)) {
            uint64_t made = take_queue();
            if (made) {
                done = begin_queue(slot, &there, value, made);
                if (!done)
                    give_back_queue(made);
                continue;
            }
        } else if (queue != 0 && !(value & OWN)) {
            if (!queued) /* before SHARED is set: who sees SHARED must find a number in the queue */
                hiera_queue_add(queue_of(queue), value);
            queued = true;
            mine = SHARED;
        }
        done = there == (mine | queue) || exchange(slot, &there, mine | queue);
    }
}

/* Store the value of a request that is started, with its handle. */
static inline void start(MPI_Request request, uint64_t value)
{
    HieraHandleSlot *slot = hiera_map_near_slot(&requests, HIERA_KEY(request));
    uint64_t there = slot ? __atomic_load_n(&slot->value, __ATOMIC_ACQUIRE) : 1;
    if (HIERA_UNLIKELY(there != 0 || !exchange(slot, &there, value)))
        start_again(request, value);
}

uint32_t hiera_request_new(MPI_Request request, HieraRequestSort sort)
{
    _Static_assert(RECEIVES == (uint64_t)HIERA_REQUEST_RECEIVES << SORT_SHIFT && OWN == (uint64_t)HIERA_REQUEST_OWN
                                                                                            << SORT_SHIFT,
                   "the sort of a request is in its value");
    if (request == MPI_REQUEST_NULL)
        return 0;
    uint32_t number = next_number();
    start(request, number | (uint64_t)sort << SORT_SHIFT);
    return number;
}

/* Store the value of a request that is started without a new number. */
static void start_other(MPI_Request request, uint64_t value)
{
    if (hiera_requests_by_one_thread)
        other_starts++;
    else
        __atomic_add_fetch(&other_starts, 1, __ATOMIC_RELAXED);
    hiera_scratch_note(); /* an unrecorded callback may start a request whose handle the call in progress has just freed
                           */
    start(request, value);
}

/* Return a count that changes whenever this process starts a request. */
static uint64_t starts(void)
{
    return (uint64_t)__atomic_load_n(&other_starts, __ATOMIC_RELAXED) << 32 |
           __atomic_load_n(&last_number, __ATOMIC_RELAXED);
}

void hiera_request_unrecorded(MPI_Request request, HieraRequestSort sort)
{
    if (request != MPI_REQUEST_NULL)
        start_other(request, UNRECORDED | (sort & HIERA_REQUEST_OWN ? OWN : 0));
}

/* Return the value of a saved request; if its handle is shared: the oldest number in the handle's queue. */
static uint64_t look(const HieraPendingRequest *pending)
{
    return pending->value & SHARED ? hiera_queue_first(queue_of(pending->value)) : pending->value;
}

static inline void note_key(HieraPendingRequest *pending, uint64_t key)
{
    HieraHandleSlot *slot = NULL;
    if (key != HIERA_KEY(MPI_REQUEST_NULL)) {
        slot = hiera_map_near_slot(&requests, key);
        slot = HIERA_LIKELY(slot != NULL) ? slot : hiera_map_slot(&requests, key);
    }
    pending->slot = slot;
    pending->value = slot ? __atomic_load_n(&slot->value, __ATOMIC_ACQUIRE) : 0;
}

static inline void note(HieraPendingRequest *pending, MPI_Request request)
{
    note_key(pending, HIERA_KEY(request));
}

void hiera_request_note(HieraPendingRequest *pending, MPI_Request request)
{
    note(pending, request);
}

uint32_t hiera_request_listed(const HieraTail *list, uint32_t i)
{
    const void *all = (const void *)(intptr_t)list->total;
    return list->stored == 1 ? (uint32_t)look(all) : hiera_request_find(((const MPI_Request *)all)[i]);
}

/* In the process that completes another one's trace: forget tables whose memory was not taken from that one. */
static void recover(void)
{
    static bool is_done;
    for (int k = 0; !is_done && k < HIERA_MAP_TABLES; k++)
        if (requests.tables[k] && !hiera_taken_has(requests.tables[k], hiera_map_table_bytes(k)))
            requests.tables[k] = NULL;
    for (int i = 0; !is_done && i < QUEUES; i++)
        hiera_queue_recover(&queues[i]);
    is_done = true;
}

bool hiera_requests_are_there(const HieraTail *list)
{
    size_t bytes = list->stored == 1 ? sizeof(HieraPendingRequest) : list->stored * sizeof(MPI_Request);
    if (!hiera_life.recovers)
        return true;
    recover();
    return hiera_taken_has((const void *)(intptr_t)list->total, bytes);
}

uint32_t hiera_request_find(MPI_Request request)
{
    HieraPendingRequest pending;
    hiera_request_note(&pending, request);
    return (uint32_t)look(&pending);
}

/* Store the handles of a list in scratch memory. Blocks that equal the last list are skipped by one comparison each. */
static void keep_all(HieraScratch *scratch, const MPI_Request *list, int64_t count)
{
    enum { MANY = 64 };
    for (int64_t i = 0; i < count; i += MANY) {
        int64_t n = count - i < MANY ? count - i : MANY;
        if (i + n > scratch->kept || memcmp(scratch->requests + i, list + i, (size_t)n * sizeof *list) != 0)
            for (int64_t k = i; k < i + n; k++)
                hiera_scratch_keep(scratch, k, list[k]);
    }
    hiera_scratch_keep_end(scratch, count);
}

/* The rare cases of settle(): the request's handle has a queue, or the request is not complete. */
static __attribute__((noinline)) void settle_other(HieraPendingRequest *pending, bool gone)
{
    uint64_t there = pending->value;
    if (!gone)
        pending->value = look(pending);
    if (!gone || (there & ~QUEUE) == 0)
        return;
    if (!(there & SHARED) && exchange(pending->slot, &there, there & QUEUE))
        return;
    if ((there & QUEUE) != 0 &&
        !(pending->value &
          OWN)) /* the number is in the handle's queue: the value was SHARED before the call, or has become so */
        pending->value = hiera_queue_take(queue_of(there));
}

static inline void settle(HieraPendingRequest *pending, bool gone)
{
    uint64_t there = pending->value;
    if (HIERA_UNLIKELY(!gone || there == 0 || there & (SHARED | QUEUE) || !exchange(pending->slot, &there, 0)))
        settle_other(pending, gone);
}

void hiera_request_settle(HieraPendingRequest *pending, bool gone)
{
    settle(pending, gone);
}

/* Read the value of the i-th request of a list, and keep the slot of its handle for the next call. */
static __attribute__((noinline)) void note_first(HieraPendingRequest *pending, const HieraScratch *scratch, int64_t i)
{
    note(pending, scratch->requests[i]);
    scratch->slots[i] = pending->slot;
}

/* Read the value of the i-th request of a list, from its handle's slot if that is known. */
static inline void note_kept(HieraPendingRequest *pending, const HieraScratch *scratch, int64_t i)
{
    HieraHandleSlot *slot = scratch->slots[i];
    if (HIERA_UNLIKELY(!slot)) {
        note_first(pending, scratch, i);
        return;
    }
    pending->slot = slot;
    pending->value = __atomic_load_n(&slot->value, __ATOMIC_ACQUIRE);
}

void hiera_requests_note_listed(HieraScratch *scratch)
{
    for (int64_t i = 0; i < scratch->listed; i++)
        note_kept(&scratch->pending[i], scratch, i);
    scratch->noted = true;
}

static __attribute__((noinline)) void note_all(HieraScratch *scratch, const MPI_Request *list, int64_t count)
{
    if (list != scratch->requests)
        keep_all(scratch, list, count);
    scratch->listed = count;
    scratch->noted = false;
    if (!hiera_requests_by_one_thread)
        hiera_requests_note_listed(scratch);
}

void hiera_requests_before(HieraMpiRecord *record, HieraCompletion *completion, int64_t count, const MPI_Request *list,
                           MPI_Status *statuses)
{
    HieraScratch *scratch = count > 0 && list ? hiera_scratch(count) : NULL;
    *completion =
        (HieraCompletion){.count = scratch ? count : 0, .requests = list, .scratch = scratch, .statuses = statuses};
    if (!scratch)
        return;
    if (statuses == MPI_STATUS_IGNORE || statuses == MPI_STATUSES_IGNORE)
        completion->statuses = scratch->statuses;
    if (HIERA_LIKELY(count == 1)) {
        hiera_listed_begin(record, scratch->pending, 1);
        note(scratch->pending, list[0]);
    } else {
        hiera_listed_begin(record, scratch->requests, count);
        note_all(scratch, list, count);
    }
}

static inline bool is_gone(const HieraCompletion *completion, int64_t i)
{
    return completion->requests ? completion->requests[i] == MPI_REQUEST_NULL
                                : completion->fortran[i] == completion->null;
}

void hiera_requests_settle(const HieraCompletion *completion)
{
    if (HIERA_LIKELY(completion->count == 1))
        settle(completion->scratch->pending, is_gone(completion, 0));
    else if (completion->count > 1)
        completion->scratch->listed = 0;
}

/* Return the value of the i-th request of a list; if MPI has freed its handle, the value is removed from the slot. */
static uint64_t settle_kept(const HieraCompletion *completion, int64_t i)
{
    HieraPendingRequest own, *pending = &completion->scratch->pending[i];
    if (completion->count > 1 && !completion->scratch->noted) {
        pending = &own;
        note_kept(pending, completion->scratch, i);
    }
    if (completion->count > 1)
        settle(pending, is_gone(completion, i));
    return pending->value;
}

/* Save a request without scratch memory, since this may run in a callback of another completing call, which uses the
 * scratch memory. `later`: save only the key, as in long lists if no other thread can get a handle that the call has
 * freed. */
static inline void note_one(HieraPendingList *list, int64_t i, MPI_Request request, bool later)
{
    if (later)
        list->all[i].value = HIERA_KEY(request);
    else
        note(&list->all[i], request);
}

void hiera_requests_note_one(HieraPendingList *list, int64_t i, MPI_Request request)
{
    note_one(list, i, request, list->later);
}

/* Read the value of the i-th request now, unless it was read before the call. */
static void note_now(HieraPendingList *list, int64_t i)
{
    if (list->later)
        note_key(&list->all[i], list->all[i].value);
}

void hiera_requests_done_one(HieraPendingList *list, int64_t i, bool gone)
{
    if (!gone || (list->later && list->all[i].value == HIERA_KEY(MPI_REQUEST_NULL)))
        return;
    note_now(list, i);
    settle(&list->all[i], true);
}

void hiera_requests_moved_one(HieraPendingList *list, int64_t i, MPI_Request request)
{
    note_now(list, i);
    hiera_request_moved(&list->all[i], request);
}

void hiera_requests_open(HieraPendingList *list, int64_t count)
{
    list->count = count;
    list->later = count > HIERA_PENDING_FEW && hiera_requests_by_one_thread;
    list->all = count <= HIERA_PENDING_FEW ? list->few : malloc((size_t)count * sizeof *list->all);
    if (!list->all)
        list->count = 0;
}

void hiera_requests_close(HieraPendingList *list)
{
    if (list->all != list->few)
        free(list->all);
}

void hiera_requests_note(HieraPendingList *list, int64_t count, const MPI_Request *all)
{
    hiera_requests_open(list, all ? count : 0); /* a NULL list is an error of the program, which MPI reports */
    bool later = list->later;
    for (int64_t i = 0; i < list->count; i++)
        note_one(list, i, all[i], later);
}

void hiera_requests_list(HieraMpiRecord *record, const HieraPendingList *list, const MPI_Request *all)
{
    HieraScratch *scratch = list->count > 0 ? hiera_scratch(list->count) : NULL;
    if (!scratch)
        return;
    if (list->count == 1)
        *scratch->pending = *list->all;
    else if (all)
        keep_all(scratch, all, list->count);
    hiera_listed_begin(record, list->count == 1 ? (void *)scratch->pending : scratch->requests, list->count);
}

void hiera_requests_done(HieraPendingList *list, const MPI_Request *all)
{
    for (int64_t i = 0; i < list->count; i++)
        if (all[i] == MPI_REQUEST_NULL)
            hiera_requests_done_one(list, i, true);
    hiera_requests_close(list);
}

void hiera_request_moved(HieraPendingRequest *pending, MPI_Request request)
{
    if (pending->value == 0 || hiera_map_slot(&requests, HIERA_KEY(request)) == pending->slot)
        return;
    hiera_request_settle(pending, true);
    start_other(request, pending->value & ~QUEUE);
}

void hiera_requests_moved(HieraPendingList *list, const MPI_Request *all)
{
    for (int64_t i = 0; i < list->count; i++)
        hiera_requests_moved_one(list, i, all[i]);
    hiera_requests_close(list);
}

/* Return the index in the list of the i-th completed request, as MPI has returned it; -1: the index is invalid. */
static int64_t place_of(const HieraCompletion *completion, int64_t i, const int *indices, int only)
{
    int64_t place = only >= 0 ? only : indices ? indices[i] : i;
    return place >= 0 && place < completion->count ? place : -1;
}

/* Find the requests that a call tested without success; those that are MPI_REQUEST_NULL are left out. `n` also counts
 * the elements for which there is no room. A shared handle has another number at the next call, so then nothing is
 * stored. */
static __attribute__((noinline)) void find_tested(const HieraCompletion *completion, HieraTestedList *tested)
{
    uint32_t last = 0;
    bool shared = false;
    int64_t n = 0;
    uint64_t now = starts();
    for (int64_t i = 0; i < completion->count; i++) {
        HieraPendingRequest pending = *completion->scratch->pending;
        if (completion->count > 1)
            note_kept(&pending, completion->scratch, i);
        if (is_gone(completion, i))
            continue;
        uint32_t number = (uint32_t)look(&pending);
        shared |= (pending.value & SHARED) != 0;
        bool goes_on = n > 0 && (number == 0 ? last == 0 : last != 0 && number == last + 1);
        if (!goes_on && n++ < HIERA_TESTED_MOST)
            tested->each[n - 1].first = number;
        if (n <= HIERA_TESTED_MOST)
            tested->each[n - 1].last = number;
        last = number;
    }
    tested->n = n;
    tested->starts = now;
    tested->count = shared || completion->count == 1 ? 0 : completion->count;
}

/* Add to the record the requests of an unsuccessful test. The last result is used if nothing has changed since. */
static void put_pending(HieraThread *thread, HieraMpiRecord *record, const HieraCompletion *completion)
{
    uint32_t stored;
    HieraTestedList *tested = completion->scratch->tested;
    if (tested->count != completion->count || tested->starts != starts())
        find_tested(completion, tested);
    if (tested->n == 0)
        return;
    HieraTested *to = hiera_mpi_put_space(thread, record, HIERA_TAIL_PENDING, tested->n, sizeof *to, &stored);
    memcpy(to, tested->each, stored * sizeof *to);
}

static inline void complete(HieraCompleted *completed, uint64_t value, const MPI_Status *status)
{
    completed->number = (uint32_t)value;
    completed->size = HIERA_NO_STATUS;
    if (value & RECEIVES)
        completed->size = hiera_status_read_completed(status, &completed->source, &completed->tag);
}

static __attribute__((noinline)) void add_completed(HieraThread *thread, HieraMpiRecord *record,
                                                    const HieraCompletion *completion, int64_t n, const int *indices,
                                                    int only)
{
    uint32_t stored = 0;
    if (completion->count > 0 && n == 0)
        put_pending(thread, record, completion);
    if (completion->count == 0 || n <= 0)
        return;
    HieraCompleted *completed =
        hiera_mpi_put_space(thread, record, HIERA_TAIL_COMPLETION, n, sizeof *completed, &stored);
    for (int64_t i = 0; i < stored; i++, completed++) {
        int64_t place = place_of(completion, i, indices, only);
        uint64_t value = place < 0 ? 0 : settle_kept(completion, place);
        complete(completed, value, &completion->statuses[i]);
    }
}

void hiera_requests_after(HieraThread *thread, HieraMpiRecord *record, const HieraCompletion *completion, int64_t n,
                          const int *indices, int only)
{
    if (HIERA_LIKELY(completion->count == 1 && n == 1 && !indices))
        complete(hiera_mpi_put_completed(thread, record), completion->scratch->pending->value, completion->statuses);
    else
        add_completed(thread, record, completion, n, indices, only);
}

void hiera_requests_failed(HieraThread *thread, HieraMpiRecord *record, const HieraCompletion *completion)
{
    int64_t n = 0;
    uint32_t stored = 0;
    for (int64_t i = 0; i < completion->count; i++) {
        uint64_t value = is_gone(completion, i) ? settle_kept(completion, i) : 0;
        if ((uint32_t)value != 0)
            completion->scratch->pending[n++].value =
                value; /* n <= i, so no value is overwritten that is still to be read */
    }
    if (n == 0)
        return;
    HieraCompleted *completed =
        hiera_mpi_put_space(thread, record, HIERA_TAIL_COMPLETION, n, sizeof *completed, &stored);
    for (uint32_t i = 0; i < stored; i++) {
        completed[i].number = (uint32_t)completion->scratch->pending[i].value;
        completed[i].size = HIERA_NO_STATUS;
    }
}
