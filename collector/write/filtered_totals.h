/* Sums of operations that were counted but not recorded: per trace file, operation and communicator.
 *
 * They are written in the tail of the file, so that they exist even if the job is killed. If a flush fails, the sums
 * are restored to their values before it. The functions need the session's lock. */
#pragma once

#include "record/record.h"

/* Number that stands for no communicator. */
#define HIERA_SUM_NO_COMM UINT32_MAX

typedef struct HieraSum {
    uint64_t count;
    int64_t sent, received; /* bytes; -1: not known for any of the calls */
    uint64_t time_ns;
} HieraSum;

/* A row has the sum of the calls of one MPI function on one communicator, or of the regions of one name. */
typedef struct HieraSumRow {
    uint32_t call;      /* as in a record: HIERA_RECORD_REGION or an MPI function; 0: all other operations */
    uint32_t comm;      /* number of the communicator, or HIERA_SUM_NO_COMM */
    const char *level;  /* level of a region, with its name behind the NUL; NULL for a call */
    HieraSum sum, kept; /* sum now, and at the begin of the flush */
} HieraSumRow;

typedef struct HieraSums {
    HieraSumRow *rows; /* rows; the first one has all operations for which there was no row */
    uint32_t *places;  /* hash table with index of a row + 1; 0: none */
    size_t n, room, n_places;
} HieraSums;

/* Return the row of a call or of a region. If there are too many rows: the row of the call without communicator, or the
 * first row. The index of a row stays valid; the pointer is valid until the next call of these functions. NULL if there
 * is no memory at all. */
HieraSumRow *hiera_sums_of_call(HieraSums *sums, uint32_t call, uint32_t comm);
HieraSumRow *hiera_sums_of_region(HieraSums *sums, const char *level, const char *name);

/* Add one operation; sent and received may be -1. */
void hiera_sums_add(HieraSumRow *row, int64_t sent, int64_t received, uint64_t time_ns);

/* hiera_sums_keep(): a flush begins, so save the values. hiera_sums_undo(): it has failed, so restore them. */
void hiera_sums_keep(HieraSums *sums);
void hiera_sums_undo(HieraSums *sums);

void hiera_sums_clear(HieraSums *sums);
