/* Memory for the blocks of all pieces of a trace. It is taken in a few large parts, each a fraction of all before, so
 * that it is free in large parts, too, once the pieces are joined: arrays as large as a column fit there again, and the
 * kernel need not provide new pages for them. */
#ifndef HIERA_BLOCK_POOL_H
#define HIERA_BLOCK_POOL_H

#include <glib.h>

typedef struct HieraBlockPool HieraBlockPool;

HieraBlockPool *hiera_block_pool_new(gsize block_bytes);
/* Free a pool and all its blocks. */
void hiera_block_pool_free(HieraBlockPool *pool);
/* Return a block, which is not initialised; the pool owns it. Several threads may ask. */
gpointer hiera_block_pool_take(HieraBlockPool *pool);
/* Nobody needs this block any longer: it is the next one to be taken. */
void hiera_block_pool_give_back(HieraBlockPool *pool, gpointer block);

#endif
