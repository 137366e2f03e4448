/* What was counted and not recorded: sums by operation and communicator, for each stream.
 *
 * They stand in the tail of the file, so that a job that is killed has them too, and follow the stream: a flush that
 * fails takes back what it added. With the session's lock held. */
#ifndef HIERA_FILTERED_TOTALS_H
#define HIERA_FILTERED_TOTALS_H

#include "record/record.h"

/* The number of no communicator. */
#define HIERA_SUM_NO_COMM UINT32_MAX

typedef struct HieraSum {
    uint64_t count;
    int64_t sent, received; /* bytes; -1: none of the calls told them */
    uint64_t time_ns;
} HieraSum;

/* What is added up in a row: the calls of an MPI function on a communicator, or the regions of a name. */
typedef struct HieraSumRow {
    uint32_t call;      /* as in a record: HIERA_RECORD_REGION, or a call of the MPI level; 0 of the rest */
    uint32_t comm;      /* its number, or HIERA_SUM_NO_COMM */
    const char *level;  /* of a region, with its name behind the NUL; NULL of a call */
    HieraSum sum, kept; /* kept: when the flush began */
} HieraSumRow;

typedef struct HieraSums {
    HieraSumRow *rows; /* the first is the rest: what had no room */
    uint32_t *places;  /* by hash: number of a row + 1, 0 for none */
    size_t n, room, n_places;
} HieraSums;

/* The row of a call, of a region. Where there are too many rows, that of the call on all communicators, and then the
 * rest. The number stays valid, the row until the next is asked for; NULL without any memory. */
HieraSumRow *hiera_sums_of_call(HieraSums *sums, uint32_t call, uint32_t comm);
HieraSumRow *hiera_sums_of_region(HieraSums *sums, const char *level, const char *name);

/* One more; bytes may be -1. */
void hiera_sums_add(HieraSumRow *row, int64_t sent, int64_t received, uint64_t time_ns);

/* A flush begins; it failed. */
void hiera_sums_keep(HieraSums *sums);
void hiera_sums_undo(HieraSums *sums);

void hiera_sums_clear(HieraSums *sums);

#endif
