/* See array_arguments.h. Arrays and texts are added to a record only after the MPI call has returned. */
#include "array_arguments.h"

#include "base/settings.h"
#include "call_record.h"
#include "memory/kept_heap.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = HIERA_TAIL_ROOM - 4096, LONGEST = 1 << 28 };

static size_t tail_element_bytes(const HieraMpiCall *call, const HieraTail *tail)
{
    const HieraArgument *argument = hiera_tail_argument(call, tail);
    if (argument)
        return HIERA_ARGUMENT_BYTES(argument->kind);
    if (tail->argument == HIERA_TAIL_COMPLETION)
        return sizeof(HieraCompleted);
    if (tail->argument == HIERA_TAIL_WAITS)
        return sizeof(int64_t);
    if (tail->argument == HIERA_TAIL_BUFFERS)
        return sizeof(HieraBuffer);
    return sizeof(HieraTested);
}

const HieraTail *hiera_mpi_next_tail(const HieraMpiRecord *record, const HieraTail *tail)
{
    const HieraMpiCall *call = &hiera_mpi_calls[record->head.call - HIERA_RECORD_CALLS];
    const char *end = (const char *)record + record->head.bytes;
    const char *next = (const char *)record + call->bytes;
    if (tail) {
        size_t elements = tail->stored == HIERA_TAIL_ELSEWHERE ? 0 : tail->stored * tail_element_bytes(call, tail);
        next = (const char *)tail + HIERA_ROUND_UP(sizeof *tail + elements);
    }
    return next < end ? (const HieraTail *)(const void *)next : NULL;
}

/* List of blocks whose records have been written. Writing a buffer must not free memory (it may run in a signal
 * handler), so the next call that needs a block frees them. */
static HieraTail *dropped;

static void drop(HieraTail *block)
{
    HieraTail *first = __atomic_load_n(&dropped, __ATOMIC_RELAXED);
    do
        block->total = (intptr_t)first;
    while (!__atomic_compare_exchange_n(&dropped, &first, block, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

void hiera_mpi_drop_blocks(const HieraRecord *head)
{
    const HieraMpiRecord *record = (const HieraMpiRecord *)head;
    for (const HieraTail *tail = hiera_mpi_next_tail(record, NULL); tail; tail = hiera_mpi_next_tail(record, tail))
        if (tail->stored == HIERA_TAIL_ELSEWHERE)
            drop((HieraTail *)(intptr_t)tail->total);
}

static void free_dropped(void)
{
    HieraTail *block = __atomic_exchange_n(&dropped, NULL, __ATOMIC_ACQUIRE);
    while (block) {
        HieraTail *next = (HieraTail *)(intptr_t)block->total;
        hiera_kept_give(block);
        block = next;
    }
}

static void take(HieraThread *thread, HieraMpiRecord *record, size_t bytes)
{
    record->head.bytes += (uint32_t)bytes;
    hiera_record_take(thread, bytes);
}

/* Allocate memory outside the record buffer, and append to the record a tail with its address. NULL: out of memory. */
static HieraTail *make_block(HieraThread *thread, HieraMpiRecord *record, unsigned argument, size_t bytes)
{
    HieraTail *tail = (HieraTail *)(void *)((char *)record + record->head.bytes);
    free_dropped();
    HieraTail *block = hiera_kept_take(sizeof *block + bytes);
    if (!block)
        return NULL;
    *tail = (HieraTail){argument, HIERA_TAIL_ELSEWHERE, (intptr_t)block};
    take(thread, record, sizeof *tail);
    thread->has_blocks = true;
    return block;
}

/* Append to the record a tail with room for `n` of `total` elements; for fewer if no memory can be allocated. */
static void *append(HieraThread *thread, HieraMpiRecord *record, unsigned argument, int64_t total, int64_t n,
                    size_t element_bytes, uint32_t *stored)
{
    size_t free_bytes = record->head.bytes < ROOM ? ROOM - record->head.bytes : 0;
    HieraTail *tail = NULL;
    n = n < 0 ? 0 : n > LONGEST ? LONGEST : n;
    if ((size_t)n * element_bytes > free_bytes) {
        tail = make_block(thread, record, argument, (size_t)n * element_bytes);
        n = tail ? n : (int64_t)(free_bytes / element_bytes);
    }
    if (!tail) {
        tail = (HieraTail *)(void *)((char *)record + record->head.bytes);
        take(thread, record, HIERA_ROUND_UP(sizeof *tail + (size_t)n * element_bytes));
    }
    if (HIERA_UNLIKELY(thread->is_wide))
        hiera_thread_narrow(thread);
    *stored = (uint32_t)n;
    *tail = (HieraTail){argument, *stored, total < 0 ? 0 : total};
    return tail + 1;
}

void *hiera_mpi_put_space(HieraThread *thread, HieraMpiRecord *record, unsigned argument, int64_t n,
                          size_t element_bytes, uint32_t *stored)
{
    /* The setting `arrays` does not shorten the list of completed requests: messages are matched by this list. */
    int64_t limit = argument == HIERA_TAIL_COMPLETION || argument == HIERA_TAIL_BUFFERS ? INT64_MAX
                    : argument == HIERA_TAIL_PENDING                                    ? HIERA_TESTED_MOST
                    : argument == HIERA_TAIL_WAITS                                      ? HIERA_WAITS_OF_CALL
                                                   : (int64_t)hiera_settings.arrays;
    return append(thread, record, argument, n, n > limit ? limit : n, element_bytes, stored);
}

void hiera_mpi_put_ints(HieraThread *thread, HieraMpiRecord *record, unsigned argument, const int *values, int64_t n)
{
    uint32_t stored;
    int32_t *to = hiera_mpi_put_space(thread, record, argument, n, sizeof *to, &stored);
    memcpy(to, values, stored * sizeof *to);
}

void hiera_mpi_put_longs(HieraThread *thread, HieraMpiRecord *record, unsigned argument, const int64_t *values,
                         int64_t n)
{
    uint32_t stored;
    int64_t *to = hiera_mpi_put_space(thread, record, argument, n, sizeof *to, &stored);
    memcpy(to, values, stored * sizeof *to);
}

void hiera_mpi_put_text(HieraThread *thread, HieraMpiRecord *record, unsigned argument, const char *text, int64_t room)
{
    uint32_t stored;
    if (room <= 0)
        return;
    int64_t length = (int64_t)strnlen(text, (size_t)(room < HIERA_TEXT_MAX ? room : HIERA_TEXT_MAX));
    char *to = append(thread, record, argument, length, length, 1, &stored);
    memcpy(to, text, stored);
}

int64_t hiera_sum_ints(const int *counts, int64_t n, const uint8_t *there)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += !there || there[i] ? counts[i] : 0;
    return sum;
}

int64_t hiera_sum_longs(const int64_t *counts, int64_t n, const uint8_t *there)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += !there || there[i] ? counts[i] : 0;
    return sum;
}
