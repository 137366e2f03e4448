#include "block_pool.h"

enum {
    FIRST_BLOCKS = 16, /* number of blocks in the first large allocation */
    FRACTION = 2       /* each further allocation has half as many blocks as all earlier ones together */
};

struct HieraBlockPool {
    GMutex lock;
    gsize block_bytes;
    GPtrArray *parts;
    guint8 *next; /* the next free block of the last allocation */
    gsize n_left; /* number of free blocks in the last allocation */
    gsize n;      /* number of blocks in all allocations */
    GPtrArray *given_back;
};

HieraBlockPool *hiera_block_pool_new(gsize block_bytes)
{
    HieraBlockPool *pool = g_new0(HieraBlockPool, 1);
    g_mutex_init(&pool->lock);
    pool->block_bytes = block_bytes;
    pool->parts = g_ptr_array_new_with_free_func(g_free);
    pool->given_back = g_ptr_array_new();
    return pool;
}

void hiera_block_pool_free(HieraBlockPool *pool)
{
    g_ptr_array_unref(pool->given_back);
    g_ptr_array_unref(pool->parts);
    g_mutex_clear(&pool->lock);
    g_free(pool);
}

static void add_part(HieraBlockPool *pool)
{
    pool->n_left = MAX(pool->n / FRACTION, FIRST_BLOCKS);
    pool->n += pool->n_left;
    pool->next = g_malloc_n(pool->n_left, pool->block_bytes);
    g_ptr_array_add(pool->parts, pool->next);
}

static gpointer take_new(HieraBlockPool *pool)
{
    if (pool->n_left == 0)
        add_part(pool);
    guint8 *block = pool->next;
    pool->next += pool->block_bytes;
    pool->n_left--;
    return block;
}

gpointer hiera_block_pool_take(HieraBlockPool *pool)
{
    g_mutex_lock(&pool->lock);
    guint n = pool->given_back->len;
    gpointer block = n > 0 ? g_ptr_array_steal_index_fast(pool->given_back, n - 1) : take_new(pool);
    g_mutex_unlock(&pool->lock);
    return block;
}

void hiera_block_pool_give_back(HieraBlockPool *pool, gpointer block)
{
    g_mutex_lock(&pool->lock);
    g_ptr_array_add(pool->given_back, block);
    g_mutex_unlock(&pool->lock);
}
