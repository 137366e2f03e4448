/* Arrays and texts of a record: appended when the call has returned, while the record is the last in its buffer. */
#include "mpi_level.h"

#include "../settings.h"

#include <string.h>

enum { TEXT_MAX = 2048, LISTS_MAX = HIERA_TAIL_ROOM - 4096 };

/* As many elements as the setting allows and as the room that the call was promised holds. */
static uint32_t elements_kept(const HieraMpiRecord *record, int64_t n, size_t element_bytes, size_t limit)
{
    size_t free_bytes = record->head.bytes < LISTS_MAX ? LISTS_MAX - record->head.bytes : 0;
    if (n < 0)
        n = 0;
    if ((uint64_t)n > limit)
        n = (int64_t)limit;
    if ((uint64_t)n > free_bytes / element_bytes)
        n = (int64_t)(free_bytes / element_bytes);
    return (uint32_t)n;
}

static void *append(HieraThread *thread, HieraMpiRecord *record, unsigned argument, int64_t total, uint32_t stored,
                    size_t element_bytes)
{
    HieraTail *tail = (HieraTail *)(void *)((char *)record + record->head.bytes);
    size_t bytes = HIERA_ROUND_UP(sizeof *tail + stored * element_bytes);
    *tail = (HieraTail){argument, stored, total};
    record->head.bytes += (uint32_t)bytes;
    hiera_record_take(thread, bytes);
    return tail + 1;
}

void *hiera_mpi_put_space(HieraThread *thread, HieraMpiRecord *record, unsigned argument, int64_t n,
                          size_t element_bytes, uint32_t *stored)
{
    /* Which requests a call completed is no mere argument: messages are matched by it. */
    size_t limit = argument == HIERA_TAIL_COMPLETION ? SIZE_MAX : hiera_settings.arrays;
    *stored = elements_kept(record, n, element_bytes, limit);
    return append(thread, record, argument, n, *stored, element_bytes);
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

void hiera_mpi_put_text(HieraThread *thread, HieraMpiRecord *record, unsigned argument, const char *text)
{
    size_t length = strnlen(text, TEXT_MAX);
    uint32_t stored = elements_kept(record, (int64_t)length, 1, TEXT_MAX);
    memcpy(append(thread, record, argument, (int64_t)length, stored, 1), text, stored);
}

int64_t hiera_sum_ints(const int *counts, int64_t n)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += counts[i];
    return sum;
}

int64_t hiera_sum_longs(const int64_t *counts, int64_t n)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += counts[i];
    return sum;
}

int64_t hiera_sum_typed_ints(const int *counts, const MPI_Datatype *types, int64_t n)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t bytes = hiera_type_bytes(hiera_handle_find(HIERA_HANDLE_TYPE, HIERA_KEY(types[i])), counts[i]);
        if (bytes < 0)
            return -1;
        sum += bytes;
    }
    return sum;
}

int64_t hiera_sum_typed_longs(const int64_t *counts, const MPI_Datatype *types, int64_t n)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t bytes = hiera_type_bytes(hiera_handle_find(HIERA_HANDLE_TYPE, HIERA_KEY(types[i])), counts[i]);
        if (bytes < 0)
            return -1;
        sum += bytes;
    }
    return sum;
}
