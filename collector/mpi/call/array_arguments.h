/* Append arrays and texts to the record of a call, as its tail. The record must be the last one in its buffer. */
#pragma once

#include "call_record.h"

#include <mpi.h>

void hiera_mpi_put_ints(HieraThread *, HieraMpiRecord *, unsigned argument, const int *values, int64_t n);
void hiera_mpi_put_longs(HieraThread *, HieraMpiRecord *, unsigned argument, const int64_t *values, int64_t n);
/* Append a text from a char array of `room` bytes; a NUL may end the text earlier. */
void hiera_mpi_put_text(HieraThread *, HieraMpiRecord *, unsigned argument, const char *text, int64_t room);
/* Append a list of n texts, quoted as for a shell; n = -1: the list ends with NULL. The second function takes n such
 * lists and puts a semicolon between them. */
void hiera_mpi_put_words(HieraThread *, HieraMpiRecord *, unsigned argument, char *const *words, int64_t n);
void hiera_mpi_put_wordlists(HieraThread *, HieraMpiRecord *, unsigned argument, char **const *lists, int64_t n);

enum { HIERA_TEXT_MAX = 64 << 10 };

/* Append the tail of a call that has completed one request, and return its element, which the caller fills in. The
 * record has room for it (HIERA_TAIL_OF_ONE). */
static inline HieraCompleted *hiera_mpi_put_completed(HieraThread *thread, HieraMpiRecord *record)
{
    enum { BYTES = HIERA_ROUND_UP(sizeof(HieraTail) + sizeof(HieraCompleted)) };
    HieraTail *tail = (HieraTail *)(void *)((char *)record + record->head.bytes);
    record->head.bytes += BYTES;
    hiera_record_take(thread, BYTES);
    if (HIERA_UNLIKELY(thread->is_wide))
        hiera_thread_narrow(thread);
    *tail = (HieraTail){HIERA_TAIL_COMPLETION, 1, 1};
    return (HieraCompleted *)(tail + 1);
}

/* Append room for n elements; the caller fills in the first *stored of them. The setting `arrays` limits how many are
 * stored. */
void *hiera_mpi_put_space(HieraThread *, HieraMpiRecord *, unsigned argument, int64_t n, size_t element_bytes,
                          uint32_t *stored);

/* Release the memory that the record's tails have outside the buffer. Call this when the record has been written. */
void hiera_mpi_drop_blocks(const HieraRecord *record);

/* Return the last of n values; 0 if n is 0. */
static inline int hiera_last(const int *values, int n)
{
    return n > 0 ? values[n - 1] : 0;
}

/* Return how many array elements MPI has set: the program's array has room for `room`, and *there_is is how many
 * elements MPI has in all. NULL: MPI does not say. */
static inline int hiera_least(int room, const int *there_is)
{
    return !there_is || *there_is > room ? room : *there_is;
}

/* Return the sum of n counts, one per neighbour; only of neighbours i with there[i] != 0. `there` NULL: of all. */
int64_t hiera_sum_ints(const int *counts, int64_t n, const uint8_t *there);
int64_t hiera_sum_longs(const int64_t *counts, int64_t n, const uint8_t *there);

/* Whether this pointer is an array, and not one of MPI's constants for "no array". */
static inline bool hiera_mpi_is_array(const void *array)
{
    return array && array != (const void *)MPI_UNWEIGHTED && array != (const void *)MPI_WEIGHTS_EMPTY &&
           array != (const void *)MPI_ERRCODES_IGNORE;
}
