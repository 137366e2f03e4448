/* Memory blocks that survive a kill where possible; a head before each block says whether it is from malloc. */
#include "kept_heap.h"

#include "kept_memory.h"
#include "signal_safe_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct Head {
    size_t bytes; /* size of head and block; 0: from malloc */
    size_t unused;
} Head;

static HieraPool pool;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static Head *take_kept(size_t bytes)
{
    pthread_mutex_lock(&lock);
    Head *head = hiera_pool_new(&pool, bytes);
    pthread_mutex_unlock(&lock);
    if (head)
        head->bytes = bytes;
    return head;
}

void *hiera_kept_take(size_t bytes)
{
    bytes += sizeof(Head);
    Head *head = hiera_kept_header() ? take_kept(bytes) : calloc(1, bytes);
    return head ? head + 1 : NULL;
}

void *hiera_kept_take_small(size_t bytes)
{
    enum { SMALL = 1 << 20 };
    Head *head = bytes <= SMALL ? NULL : calloc(1, bytes + sizeof(Head));
    return bytes <= SMALL ? hiera_kept_take(bytes) : head ? head + 1 : NULL;
}

void hiera_kept_give(void *block)
{
    Head *head = block ? (Head *)block - 1 : NULL;
    if (!head)
        return;
    if (head->bytes == 0) {
        free(head);
        return;
    }
    pthread_mutex_lock(&lock);
    hiera_pool_free(&pool, head, head->bytes);
    pthread_mutex_unlock(&lock);
}

char *hiera_kept_copy(const char *text)
{
    size_t bytes = text ? strlen(text) + 1 : 0;
    char *copy = text ? hiera_kept_take(bytes) : NULL;
    return copy ? memcpy(copy, text, bytes) : NULL;
}

char *hiera_kept_move(char *text)
{
    char *copy = hiera_kept_copy(text);
    free(text);
    return copy;
}

void hiera_kept_heap_in_child(void)
{
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    lock = fresh;
    pool = (HieraPool){0};
}
