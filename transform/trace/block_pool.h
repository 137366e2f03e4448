/* Memory for the blocks of all pieces of a trace. It is allocated in a few large parts, each a fraction of all earlier
 * ones, so that it is also freed in large parts when the pieces are joined: arrays as large as a column fit there
 * again, and the kernel need not provide new pages for them. */
#pragma once

#include <glib.h>

typedef struct HieraBlockPool HieraBlockPool;

HieraBlockPool *hiera_block_pool_new(gsize block_bytes);
/* Free a pool and all its blocks. */
void hiera_block_pool_free(HieraBlockPool *pool);
/* Return an uninitialised block, which the pool owns. Thread-safe. */
gpointer hiera_block_pool_take(HieraBlockPool *pool);
/* Give back a block that is no longer needed: hiera_block_pool_take returns it next. */
void hiera_block_pool_give_back(HieraBlockPool *pool, gpointer block);
