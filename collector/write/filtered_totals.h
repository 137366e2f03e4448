/* Sums of operations that were counted but not recorded: per trace file, operation and communicator.
 *
 * They are written in the tail of the file, so that they exist even if the job is killed. If a flush fails, the sums
 * are restored to their values before it. The functions need the session's lock. */
#pragma once

#include "record/record.h"

/* Value of `comm` in rows for calls without a communicator. */
#define HIERA_SUM_NO_COMM UINT32_MAX

typedef struct HieraSum {
    uint64_t count;
    int64_t sent, received; /* sum of the known bytes of these operations; -1: the bytes of none are known */
    uint64_t time_ns;
} HieraSum;

/* Totals of the calls of one MPI function on one communicator, or of the regions with one name. */
typedef struct HieraSumRow {
    uint32_t call;      /* HIERA_RECORD_REGION, or the number of an MPI function; 0: all other operations */
    uint32_t comm;      /* number of the calls' communicator, or HIERA_SUM_NO_COMM */
    const char *level;  /* level of the regions, a NUL, then their name; NULL for calls */
    HieraSum sum, kept; /* totals now, and totals at the begin of the flush */
} HieraSumRow;

typedef struct HieraSums {
    HieraSumRow *rows; /* table of totals; its first row has the operations for which there was no other row */
    uint32_t *places;  /* hash table of rows: index in `rows` + 1; 0: empty slot */
    size_t n, room, n_places;
} HieraSums;

/* Return the row of a call or of a region. If there are too many rows: the row of the call without communicator, or the
 * first row. The index of a row stays valid; the pointer is valid until the next call of these functions. NULL if there
 * is no memory at all. */
HieraSumRow *hiera_sums_of_call(HieraSums *sums, uint32_t call, uint32_t comm);
HieraSumRow *hiera_sums_of_region(HieraSums *sums, const char *level, const char *name);

/* Add an operation to a row. `sent`, `received`: bytes; -1: not known. */
void hiera_sums_add(HieraSumRow *row, int64_t sent, int64_t received, uint64_t time_ns);

/* hiera_sums_keep(): save all totals at the begin of a flush. hiera_sums_undo(): restore them after a failed flush. */
void hiera_sums_keep(HieraSums *sums);
void hiera_sums_undo(HieraSums *sums);

void hiera_sums_clear(HieraSums *sums);
