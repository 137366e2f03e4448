/* See buffers.h. */
#include "buffers.h"

#include "base/program_memory.h"
#include "base/settings.h"
#include "hiera.h"
#include "mpi/call/array_arguments.h"
#include "mpi/call/call_kind.h"
#include "mpi/call/mpi_level.h"
#include "mpi/call/peer_arguments.h"
#include "record/own_stack.h"
#include "text/hash.h"
#include "types.h"
#include "watchpoints.h"

#include <errno.h>
#include <link.h>
#include <mpi.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

bool hiera_buffers_are_wanted(void)
{
    return *hiera_settings.check && hiera_settings.trace && !hiera_settings.mode.is_profile;
}

void hiera_buffers_load(void)
{
    for (unsigned i = 0; hiera_buffers_are_wanted() && i < hiera_mpi_call_count; i++)
        __atomic_or_fetch(&hiera_mpi_filtered[i], HIERA_FILTERED_CHECKED, __ATOMIC_RELAXED);
}

/* --- whether there is memory --- */

static int finds_devices(struct dl_phdr_info *object, size_t size, void *unused)
{
    static const char *const libraries[] = {"libcuda.so", "libhsa-runtime", "libamdhip", "libze_", "libOpenCL"};
    (void)size;
    (void)unused;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (object->dlpi_name && strstr(object->dlpi_name, libraries[i]))
            return 1;
    return 0;
}

static bool is_mapped(uintptr_t address)
{
    unsigned char resident;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    return mincore((void *)(address / page * page), 1, &resident) == 0 || errno != ENOMEM;
}

/* Whether the first or the last byte lies where nothing is mapped. Memory of devices is none that the system maps. */
static bool is_missing(const HieraBuffer *buffer)
{
    int saved_errno = errno;
    uintptr_t first = (uintptr_t)buffer->address, last = first + (uintptr_t)buffer->bytes - 1;
    bool missing =
        (!is_mapped(first) || (last > first && !is_mapped(last))) && dl_iterate_phdr(finds_devices, NULL) == 0;
    errno = saved_errno;
    return missing;
}

static void add(HieraBuffers *buffers, const HieraBuffer *buffer)
{
    if (buffer->bytes > 0 && buffers->n < HIERA_BUFFERS_MOST - 1)
        buffers->list[buffers->n++] = *buffer;
}

/* Add memory of this rank, and what is known of it now: of variables, the trace is asked later. */
static void add_own(HieraBuffers *buffers, HieraBuffer buffer)
{
    uintptr_t begin = 0;
    size_t bytes = 0;
    if (buffer.bytes > 0 && hiera_program_memory_block((uintptr_t)buffer.address, &begin, &bytes)) {
        buffer.block = (intptr_t)begin;
        buffer.block_bytes = (int64_t)bytes;
    } else if (buffer.bytes > 0) {
        buffer.is_missing = is_missing(&buffer);
    }
    add(buffers, &buffer);
}

/* --- the buffers of a call --- */

/* The bytes of some elements of a datatype, from the address of the first one; bytes 0: none, or not known. */
typedef struct Span {
    int64_t lower, bytes, data;
} Span;

static Span span_of(int64_t count, uint32_t number)
{
    const HieraType *type = hiera_type_facts(number);
    int64_t more, upper, data;
    if (count <= 0 || type->size <= 0 || type->true_upper < type->true_lower ||
        __builtin_mul_overflow(count - 1, type->extent, &more) || __builtin_mul_overflow(count, type->size, &data))
        return (Span){0};
    int64_t lower = type->true_lower + (more < 0 ? more : 0);
    upper = type->true_upper + (more > 0 ? more : 0);
    return (Span){lower, upper - lower, data};
}

void hiera_buffers_add_misplaced(HieraBuffers *buffers, char use)
{
    add(buffers,
        &(HieraBuffer){.address = (intptr_t)MPI_IN_PLACE, .bytes = 1, .use = (uint8_t)use, .is_missing = true});
}

void hiera_buffers_add(HieraBuffers *buffers, char use, const void *address, int64_t count, uint32_t type)
{
    Span span = span_of(count, type);
    if (address == MPI_IN_PLACE && span.bytes > 0)
        hiera_buffers_add_misplaced(buffers, use);
    else
        add_own(buffers, (HieraBuffer){.address = (intptr_t)address + span.lower,
                                       .bytes = span.bytes,
                                       .use = (uint8_t)use,
                                       .gaps = span.bytes != span.data,
                                       .may_span = address == MPI_BOTTOM});
}

static int64_t number_at(const void *numbers, size_t bytes, int64_t i)
{
    return bytes == sizeof(int64_t) ? ((const int64_t *)numbers)[i] : ((const int32_t *)numbers)[i];
}

void hiera_buffers_add_parts(HieraBuffers *buffers, char use, const void *address, HieraBufferParts parts,
                             uint32_t type)
{
    int64_t lower = INT64_MAX, upper = INT64_MIN, data = 0, extent = hiera_type_facts(type)->extent, next = 0;
    for (int64_t i = 0; parts.counts && i < parts.n; i++) {
        int64_t count = number_at(parts.counts, parts.count_bytes, i);
        Span span = span_of(count, type);
        int64_t at = parts.displacements ? number_at(parts.displacements, parts.displacement_bytes, i) : next;
        next += count;
        if (span.bytes <= 0)
            continue;
        int64_t begin = at * extent + span.lower;
        lower = begin < lower ? begin : lower;
        upper = begin + span.bytes > upper ? begin + span.bytes : upper;
        data += span.data;
    }
    if (address == MPI_IN_PLACE && lower < upper)
        hiera_buffers_add_misplaced(buffers, use);
    else if (lower < upper)
        add_own(buffers, (HieraBuffer){.address = (intptr_t)address + lower,
                                       .bytes = upper - lower,
                                       .use = (uint8_t)use,
                                       .gaps = data != upper - lower,
                                       .may_span = address == MPI_BOTTOM});
}

void hiera_buffers_add_target(HieraBuffers *buffers, char use, int64_t displacement, int64_t count, uint32_t type)
{
    Span span = span_of(count, type);
    add(buffers, &(HieraBuffer){.address = displacement,
                                .bytes = span.bytes,
                                .offset = span.lower,
                                .use = (uint8_t)use,
                                .gaps = span.bytes != span.data});
}

void hiera_buffers_add_window(HieraBuffers *buffers, const void *base, int64_t bytes, int64_t unit)
{
    add_own(buffers, (HieraBuffer){.address = (intptr_t)base, .bytes = bytes, .offset = unit, .use = 'x'});
}

/* Find out which buffers are on the stack, above the wrapper, and add the registers of the function that called it: a
 * wrapper begins by storing the frame pointer below the return address. */
static void add_frame(HieraThread *thread, const HieraMpiRecord *record, HieraBuffers *buffers, const void *frame)
{
    bool any = false;
    for (uint32_t i = 0; i < buffers->n; i++) {
        HieraBuffer *buffer = &buffers->list[i];
        bool is_own = strchr("rwx", (int)buffer->use) && buffer->block_bytes == 0 && !buffer->is_missing;
        buffer->is_on_stack = is_own && hiera_stack_has(thread, (uintptr_t)buffer->address);
        any = any || (buffer->is_on_stack && (uintptr_t)buffer->address > (uintptr_t)frame);
    }
#ifdef __x86_64__
    const uintptr_t *words = frame;
    if (any && words && words[1] == (uintptr_t)record->head.site)
        buffers->list[buffers->n++] =
            (HieraBuffer){.address = (intptr_t)(words + 2), .bytes = 1, .offset = (intptr_t)words[0], .use = 'f'};
#else
    (void)any, (void)record;
#endif
}

/* Append the list to a record that is not part of the trace yet: hiera_mpi_start() makes all of it one. */
static void put_before_start(HieraMpiRecord *record, const HieraBuffers *buffers)
{
    HieraTail *tail = (HieraTail *)(void *)((char *)record + record->head.bytes);
    *tail = (HieraTail){HIERA_TAIL_BUFFERS, buffers->n, buffers->n};
    memcpy(tail + 1, buffers->list, buffers->n * sizeof *buffers->list);
    record->head.bytes += (uint32_t)(sizeof *tail + buffers->n * sizeof *buffers->list);
}

void hiera_buffers_put(HieraThread *thread, HieraMpiRecord *record, HieraBuffers *buffers, const void *frame)
{
    uint32_t stored;
    add_frame(thread, record, buffers, frame);
    if (thread->next == (char *)record) {
        put_before_start(record, buffers);
        return;
    }
    HieraBuffer *to = hiera_mpi_put_space(thread, record, HIERA_TAIL_BUFFERS, buffers->n, sizeof *to, &stored);
    memcpy(to, buffers->list, stored * sizeof *to);
}

/* --- memory that is watched --- */

/* Memory of a persistent request, which each start uses. */
typedef struct Persistent {
    uint32_t request; /* 0: free */
    HieraBuffers buffers;
} Persistent;

enum { PERSISTENT_MOST = 1024 };
static Persistent persistent[PERSISTENT_MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Return the entry of a request, or a free one for 0; NULL: none. */
static Persistent *find_persistent(uint32_t request)
{
    for (size_t i = 0; i < PERSISTENT_MOST; i++)
        if (persistent[i].request == request)
            return &persistent[i];
    return NULL;
}

static void keep(uint32_t request, const HieraBuffer *list, uint32_t n)
{
    pthread_mutex_lock(&lock);
    Persistent *entry = find_persistent(0);
    if (entry) {
        entry->request = request;
        entry->buffers.n = n < HIERA_BUFFERS_MOST ? n : HIERA_BUFFERS_MOST;
        memcpy(entry->buffers.list, list, entry->buffers.n * sizeof *list);
    }
    pthread_mutex_unlock(&lock);
}

/* Memory that MPI still has. On the stack of a thread: no call of the thread may come from a frame above it. In a
 * block: it may not be freed. That of a send: it may not change, all of its bytes. */
typedef struct Held {
    const HieraThread *thread; /* NULL: free */
    HieraBuffer buffer;
    HieraWatchOf of;
    bool is_on_stack;
    uint64_t sum;        /* of the bytes that may not change; 0: they are not compared */
    const void *changed; /* site of the call that completed it, if they had changed; it is to be reported */
} Held;

enum { HELD_MOST = 256, SUMMED_MOST = 1 << 24 };
static Held held[HELD_MOST];
static bool others_may_write; /* into memory that no window's call names: there are dynamic or shared windows */

/* Return a sum of the bytes of a buffer, not 0; 0: they cannot be read. The kernel reads: memory that nobody may read
 * is no fault. */
static uint64_t sum_of(const HieraBuffer *buffer)
{
    uint64_t words[512], sum = (uint64_t)buffer->bytes;
    int saved_errno = errno;
    for (int64_t done = 0; done < buffer->bytes && sum != 0;) {
        int64_t left = buffer->bytes - done;
        size_t n = left < (int64_t)sizeof words ? (size_t)left : sizeof words;
        const struct iovec to = {words, n}, from = {(void *)(intptr_t)(buffer->address + done), n};
        words[(n - 1) / sizeof *words] = 0;
        bool is_read = process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)n;
        for (size_t i = 0; i <= (n - 1) / sizeof *words; i++)
            sum = is_read ? hiera_hash_number(sum ^ words[i]) | 1 : 0;
        done += (int64_t)n;
    }
    errno = saved_errno;
    return sum;
}

/* Whether other ranks may write into memory, since it is a window's. */
static bool is_in_window(const HieraBuffer *buffer)
{
    bool is_in = false;
    pthread_mutex_lock(&lock);
    for (const Held *one = held; one < held + HELD_MOST && !is_in; one++)
        is_in = one->thread && one->of.is_window && one->buffer.address < buffer->address + buffer->bytes &&
                buffer->address < one->buffer.address + one->buffer.bytes;
    pthread_mutex_unlock(&lock);
    return is_in;
}

/* Whether memory may not change until a call is complete: it is that of a send, or the origin of a put. */
static bool is_to_compare(const HieraBuffer *buffer)
{
    bool may_be = buffer->use == 'r' && !buffer->gaps && buffer->bytes <= SUMMED_MOST;
    return may_be && !__atomic_load_n(&others_may_write, __ATOMIC_RELAXED) && !is_in_window(buffer);
}

static void note_held(const HieraBuffer *buffer, HieraWatchOf of)
{
    HieraThread *thread = hiera_thread;
    bool is_on_stack = thread && hiera_stack_has(thread, (uintptr_t)buffer->address);
    uint64_t sum = is_to_compare(buffer) ? sum_of(buffer) : 0;
    if (!thread || (sum == 0 && !of.is_window && !is_on_stack && buffer->block_bytes == 0))
        return;
    pthread_mutex_lock(&lock);
    for (Held *one = held; one < held + HELD_MOST; one++) {
        if (one->thread)
            continue;
        *one = (Held){thread, *buffer, of, is_on_stack, sum, NULL};
        break;
    }
    pthread_mutex_unlock(&lock);
}

/* MPI has the memory no longer. @param site  of the call that has completed it */
static void drop(Held *one, const void *site)
{
    uint64_t now = one->sum != 0 ? sum_of(&one->buffer) : 0;
    one->changed = now != 0 && now != one->sum ? site : NULL;
    one->sum = 0;
    if (!one->changed)
        one->thread = NULL;
}

static void forget_sharing(const void *site)
{
    pthread_mutex_lock(&lock);
    for (Held *one = held; one < held + HELD_MOST; one++)
        if (one->thread && !one->changed && one->of.may_share)
            drop(one, site);
    pthread_mutex_unlock(&lock);
    hiera_watch_end_sharing();
}

/* Forget memory of a request, or (`request` 0) of accesses to a window. */
static void forget_held(uint32_t request, uint32_t window, int32_t target, const void *site)
{
    pthread_mutex_lock(&lock);
    for (Held *one = held; one < held + HELD_MOST; one++) {
        bool is_it = request ? one->of.request == request
                             : one->of.request == 0 && !one->of.is_window && one->of.window == window &&
                                   (target == HIERA_EVERY_TARGET || one->of.target == target);
        if (one->thread && !one->changed && is_it)
            drop(one, site);
    }
    pthread_mutex_unlock(&lock);
}

/* Forget the memory of a window. */
static void forget_window(uint32_t window)
{
    pthread_mutex_lock(&lock);
    for (Held *one = held; one < held + HELD_MOST; one++)
        if (one->thread && one->of.is_window && one->of.window == window)
            one->thread = NULL;
    pthread_mutex_unlock(&lock);
}

/* Whether the block is no longer there, or another one is in its place. */
static bool is_freed(const HieraBuffer *buffer)
{
    uintptr_t begin;
    size_t bytes;
    return !hiera_program_memory_block((uintptr_t)buffer->block, &begin, &bytes) || begin != (uintptr_t)buffer->block;
}

/* Return how memory was lost that MPI still has; NULL: it is there. @param frame  of the call that the thread makes now
 */
static const char *how_lost(const Held *one, HieraThread *thread, uintptr_t frame)
{
    if (one->thread != thread)
        return NULL;
    if (one->changed)
        return "change";
    if (one->buffer.block_bytes > 0)
        return is_freed(&one->buffer) ? "free" : NULL;
    bool is_left = (uintptr_t)(one->buffer.address + one->buffer.bytes) <= frame && hiera_stack_has(thread, frame);
    return one->is_on_stack && is_left ? "return" : NULL;
}

/* Record that the thread has left functions whose memory MPI still has, or freed blocks; or has changed what MPI had
 * until a call completed it. */
static void report_left(HieraThread *thread, const void *site, uintptr_t frame)
{
    for (Held *one = held; one < held + HELD_MOST; one++) {
        const char *how = how_lost(one, thread, frame);
        if (!how)
            continue;
        one->thread = NULL;
        hiera_begin_at(one->changed ? one->changed : site, "access", how, "address=%#llx bytes=%llu",
                       (unsigned long long)one->buffer.address, (unsigned long long)one->buffer.bytes);
        hiera_end();
    }
}

static void watch(const HieraBuffer *list, uint32_t n, HieraWatchOf of)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i].use == 'r' || list[i].use == 'w')
            note_held(&list[i], of);
    for (uint32_t i = 0; i < n; i++)
        if (list[i].use == 'r' || list[i].use == 'w')
            /* of a datatype with gaps, only the first byte is certain */
            hiera_watch_add(list[i].address, list[i].gaps ? 1 : list[i].bytes, list[i].use == 'w', of);
}

static void start(uint32_t request, uint64_t call)
{
    HieraBuffers buffers = {.n = 0};
    pthread_mutex_lock(&lock);
    const Persistent *entry = request ? find_persistent(request) : NULL;
    if (entry)
        buffers = entry->buffers;
    pthread_mutex_unlock(&lock);
    watch(buffers.list, buffers.n, (HieraWatchOf){.call = call, .request = request});
}

static void end(uint32_t request, bool is_freed, const void *site)
{
    hiera_watch_end_request(request);
    if (request)
        forget_held(request, 0, 0, site);
    if (!is_freed)
        return;
    pthread_mutex_lock(&lock);
    Persistent *entry = request ? find_persistent(request) : NULL;
    if (entry)
        entry->request = 0;
    pthread_mutex_unlock(&lock);
}

static uint32_t value_of(const HieraMpiRecord *record, const HieraMpiCall *call, const char *name)
{
    uint16_t argument = hiera_peer_argument(call, name);
    return hiera_peer_has(record, argument) ? hiera_peer_value(record, call, argument) : 0;
}

/* Return the request that a call has started; 0: none. */
static uint32_t started(const HieraMpiRecord *record, const HieraMpiCall *call)
{
    uint32_t set = hiera_call_present(call->sets.started, record), request = 0;
    if (set)
        memcpy(&request, (const char *)record + hiera_call_next(call, &set)->offset, sizeof request);
    return request;
}

static bool is_named(const HieraMpiCall *call, const char *begin)
{
    return strncmp(call->operation, begin, strlen(begin)) == 0;
}

static void watch_window(const HieraBuffer *memory, HieraWatchOf of)
{
    note_held(memory, of);
    hiera_watch_add(memory->address, memory->bytes, true, of);
}

/* Watch the memory of a call that is not complete, of a persistent request when it is started. */
static void begin(const HieraMpiRecord *record, const HieraMpiCall *call, const HieraTail *tail)
{
    const HieraBuffer *list = (const HieraBuffer *)(const void *)(tail + 1);
    HieraCallKind kind, starts;
    uint32_t request = started(record, call), window = value_of(record, call, "win");
    hiera_call_kinds(call, &kind, &starts);
    if (request && starts != HIERA_DOES_LOCAL)
        keep(request, list, tail->stored);
    else if (request)
        watch(list, tail->stored,
              (HieraWatchOf){.call = record->head.start, .request = request, .may_share = kind != HIERA_DOES_RECEIVE});
    else if (kind == HIERA_DOES_PUT || kind == HIERA_DOES_GET || kind == HIERA_DOES_UPDATE)
        watch(list, tail->stored,
              (HieraWatchOf){.call = record->head.start,
                             .window = window,
                             .target = (int32_t)value_of(record, call, "target_rank")});
    else if (tail->stored > 0 && list->use == 'x' && window)
        watch_window(list, (HieraWatchOf){.window = window, .is_window = true});
}

/* A call that ends accesses to a window, all of them or those to its rank; or the window. */
static void end_accesses(const HieraMpiRecord *record, const HieraMpiCall *call)
{
    uint32_t window = value_of(record, call, "win");
    bool has_rank = hiera_peer_argument(call, "rank") != HIERA_NO_ARGUMENT;
    int32_t target = has_rank ? (int32_t)value_of(record, call, "rank") : HIERA_EVERY_TARGET;
    bool is_free = is_named(call, "win_free");
    if (is_free) {
        hiera_watch_end_window(window);
        forget_window(window);
    } else if (!is_named(call, "win_fence") && !is_named(call, "win_complete") && !is_named(call, "win_flush") &&
               !is_named(call, "win_unlock")) {
        return;
    }
    hiera_watch_end_accesses(window, target);
    forget_held(0, window, target, record->head.site);
}

/* A list of requests that a call has completed, started or freed. */
static void use_list(const HieraMpiRecord *record, const HieraMpiCall *call, const HieraTail *tail, HieraCallKind kind)
{
    const HieraArgument *argument = hiera_tail_argument(call, tail);
    const HieraTail *contents = hiera_mpi_tail_contents(tail);
    const HieraCompleted *completed = (const HieraCompleted *)(const void *)(contents + 1);
    const uint32_t *numbers = (const uint32_t *)(const void *)(contents + 1);
    for (uint32_t i = 0; tail->argument == HIERA_TAIL_COMPLETION && i < contents->stored; i++) {
        end(completed[i].number, false, record->head.site);
        if (completed[i].size == HIERA_NO_STATUS)
            forget_sharing(record->head.site);
    }
    bool starts = kind == HIERA_DOES_START && argument && argument->kind == HIERA_ARGUMENT_NUMBER;
    for (uint32_t i = 0; starts && i < contents->stored; i++)
        start(numbers[i], record->head.start);
}

void hiera_buffers_after(const HieraMpiRecord *record)
{
    const HieraMpiCall *call = &hiera_mpi_calls[record->head.call - HIERA_RECORD_CALLS];
    HieraCallKind kind, starts;
    hiera_call_kinds(call, &kind, &starts);
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail)) {
        if (tail->argument != HIERA_TAIL_BUFFERS)
            use_list(record, call, tail, kind);
        else if (record->error == MPI_SUCCESS)
            begin(record, call, tail);
    }
    bool is_freed = is_named(call, "request_free");
    for (uint32_t set = hiera_call_present(call->sets.requests & ~call->sets.started, record); set;) {
        uint32_t request;
        memcpy(&request, (const char *)record + hiera_call_next(call, &set)->offset, sizeof request);
        if (kind == HIERA_DOES_START)
            start(request, record->head.start);
        else if (is_freed)
            end(request, true, record->head.site);
    }
    if (is_named(call, "win_create_dynamic") || is_named(call, "win_allocate_shared"))
        __atomic_store_n(&others_may_write, true, __ATOMIC_RELAXED);
    if (is_named(call, "win_"))
        end_accesses(record, call);
    if (strcmp(call->operation, "finalize") == 0)
        hiera_watch_end_all();
}

void hiera_buffers_before(const void *site, const void *frame)
{
    HieraThread *thread = hiera_thread;
    if (!hiera_buffers_are_wanted() || !thread || thread->inside)
        return;
    if (hiera_may_be_idle()) { /* calls that complete others are not seen now */
        hiera_watch_end_all();
        memset(held, 0, sizeof held);
        return;
    }
    hiera_watch_report();
    hiera_watch_look();
    report_left(thread, site, (uintptr_t)frame);
}
