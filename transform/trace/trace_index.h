/* How questions to a trace find their answer without looking through all rows. Filled by builder.c, asked by trace.c.
 */
#ifndef HIERA_TRACE_INDEX_H
#define HIERA_TRACE_INDEX_H

#include "hiera_trace.h"

/* Which rows of a block have a HieraSparse, a bit each, and how many rows before the block have one. */
#define HIERA_SPARSE_BLOCK 64
typedef struct {
    guint64 rows;
    guint32 before;
} HieraSparseBlock;

struct HieraTraceIndex {
    HieraSparse *sparse; /* of the rows that have one, in their order */
    HieraSparseBlock *sparse_blocks;
    guint32 *processor_near; /* by block of rows, the processor of its first row */
    guint block_bits;        /* such a block has 1 << block_bits rows */
};

#endif
