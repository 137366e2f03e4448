/* Memory of the writer: pages from the kernel instead of malloc.
 *
 * The handler of a fatal signal writes the trace, and the signal may have interrupted malloc. So the writer never calls
 * malloc. The functions hiera_memory_… are called with the lock held. The memory is kept (kept_memory.h). */
#pragma once

#include <stddef.h>

/* Allocate zeroed memory with the lock held; NULL if there is none. */
void *hiera_memory_new(size_t bytes);

/* Free memory of `bytes` bytes from hiera_memory_new(); NULL is allowed. */
void hiera_memory_free(void *memory, size_t bytes);

/* Enlarge a block from `old_bytes` to `bytes`; the new part is zeroed. NULL if there is no memory: the old block stays
 * valid. */
void *hiera_memory_grow(void *memory, size_t old_bytes, size_t bytes);

/* Copy a text, with its NUL, into hiera_memory_new(); NULL if there is no memory. */
char *hiera_memory_copy(const char *text);

/* Called when memory survives a kill from now on: the rest of older pieces, and blocks that are freed in them, are not
 * used any more. */
void hiera_memory_renew(void);

/* A pool of memory as of hiera_memory_new(), for callers with a lock of their own. All zero: an empty pool. */
enum { HIERA_POOL_SIZES = 17 };

typedef struct HieraPoolBlock {
    struct HieraPoolBlock *next;
} HieraPoolBlock;

typedef struct HieraPool {
    HieraPoolBlock *given_back[HIERA_POOL_SIZES]; /* [log2 of bytes]: list of freed blocks of that size */
    HieraPoolBlock *pieces;                       /* list of pieces, from which blocks are cut, the last one first */
    char *piece, *end;                            /* unused rest of the last piece: begin and end */
} HieraPool;

void *hiera_pool_new(HieraPool *from, size_t bytes);
void hiera_pool_free(HieraPool *to, void *memory, size_t bytes);
