/** Samples as rows beside those of `causes` for several processes: each tells those of its own processors. */
#ifndef HIERA_ANALYSES_SAMPLE_ROWS_H
#define HIERA_ANALYSES_SAMPLE_ROWS_H

#include "inside/hot_loops.h"

/** Columns of a row that is one or the other: the number of a wait, and HIERA_SAMPLE_ROW where it is a sample. */
enum { HIERA_SAMPLE_ROW = -1 };
#define HIERA_SAMPLE_ROW_COLUMNS                                                                                       \
    {"wait", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"causing", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},                     \
        {"node", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},                    \
        {"thread", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"samples", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},               \
        {"offset", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"path", HIERA_CELL_TEXT, HIERA_ROLE_KEY},                     \
        {"object", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"build", HIERA_CELL_TEXT, HIERA_ROLE_KEY},                       \
        {"trace", HIERA_CELL_TEXT, HIERA_ROLE_KEY}
enum {
    HIERA_SAMPLE_ROW_WAIT,
    HIERA_SAMPLE_ROW_CAUSING, /* of a sample: whether it is in MPI */
    HIERA_SAMPLE_ROW_NODE,    /* of a sample: its processor */
    HIERA_SAMPLE_ROW_TIME,
    HIERA_SAMPLE_ROW_THREAD,
    HIERA_SAMPLE_ROW_COUNT,
    HIERA_SAMPLE_ROW_OFFSET,
    HIERA_SAMPLE_ROW_PATH,
    HIERA_SAMPLE_ROW_OBJECT,
    HIERA_SAMPLE_ROW_BUILD,
    HIERA_SAMPLE_ROW_TRACE,
    HIERA_N_SAMPLE_ROW
};

/** Add the samples of the scope's own processors. */
void hiera_sample_rows_tell(const HieraTrace *trace, const HieraScope *scope, HieraTable *part);

/** Return the samples of all processors, in their order; NULL if there are none that suit the scope. The texts are those of `parts`. */
HieraHotLoops *hiera_sample_rows_gather(const HieraTable *parts, const HieraScope *scope);

#endif
