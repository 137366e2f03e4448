/* Index of a trace: finds the processor and the sparse arguments of a row quickly. Filled by builder.c, used by
 * trace.c. */
#pragma once

#include "hiera_trace.h"

/* A block of HIERA_SPARSE_BLOCK rows: bit i of `rows` is set if row i of the block has a HieraSparse; `before` is the
 * number of earlier rows that have one. */
#define HIERA_SPARSE_BLOCK 64
typedef struct {
    guint64 rows;
    guint32 before;
} HieraSparseBlock;

struct HieraTraceIndex {
    HieraSparse *sparse; /* HieraSparse of the rows that have one, sorted by row */
    HieraSparseBlock *sparse_blocks;
    guint32 *processor_near; /* by block of rows: index of the processor of the block's first row */
    guint block_bits;        /* a block of `processor_near` has 1 << block_bits rows */
};
