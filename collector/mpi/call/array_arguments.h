/* Arrays and texts of a call, appended to its record: only while that is the last of its buffer. */
#ifndef HIERA_ARRAY_ARGUMENTS_H
#define HIERA_ARRAY_ARGUMENTS_H

#include "call_record.h"

#include <mpi.h>

void hiera_mpi_put_ints(HieraThread *, HieraMpiRecord *, unsigned argument, const int *values, int64_t n);
void hiera_mpi_put_longs(HieraThread *, HieraMpiRecord *, unsigned argument, const int64_t *values, int64_t n);
/* A text of at most `room` bytes, its NUL included. */
void hiera_mpi_put_text(HieraThread *, HieraMpiRecord *, unsigned argument, const char *text, int64_t room);
/* n texts (-1: up to a NULL), quoted as for a shell; n such lists, with a semicolon between them. */
void hiera_mpi_put_words(HieraThread *, HieraMpiRecord *, unsigned argument, char *const *words, int64_t n);
void hiera_mpi_put_wordlists(HieraThread *, HieraMpiRecord *, unsigned argument, char **const *lists, int64_t n);

enum { HIERA_TEXT_MAX = 64 << 10 };

/* Room for n elements that the caller fills in; *stored is how many of them are kept (HIERA_ARRAYS). */
void *hiera_mpi_put_space(HieraThread *, HieraMpiRecord *, unsigned argument, int64_t n, size_t element_bytes,
                          uint32_t *stored);

/* The record is gone: give back the blocks of its tails. */
void hiera_mpi_drop_blocks(const HieraRecord *record);

/* The last of n, 0 if there is none. */
static inline int hiera_last(const int *values, int n)
{
    return n > 0 ? values[n - 1] : 0;
}

/* What a call filled of the room that it was given, where it tells how much there would have been. */
static inline int hiera_least(int room, const int *there_is)
{
    return !there_is || *there_is > room ? room : *there_is;
}

/* Sum of counts. Of an array for neighbours `there` says which of them exist; NULL: all. */
int64_t hiera_sum_ints(const int *counts, int64_t n, const uint8_t *there);
int64_t hiera_sum_longs(const int64_t *counts, int64_t n, const uint8_t *there);

/* Is it an array, and not one of the constants that stand for none? */
static inline bool hiera_mpi_is_array(const void *array)
{
    return array && array != (const void *)MPI_UNWEIGHTED && array != (const void *)MPI_WEIGHTS_EMPTY &&
           array != (const void *)MPI_ERRCODES_IGNORE;
}

#endif
