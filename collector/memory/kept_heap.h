/* Blocks of kept memory (kept_memory.h) for what records refer to, and threads make without the lock of the writer:
 * names of communicators, long lists. A malloc where nothing is kept. Not for signal handlers. */
#ifndef HIERA_KEPT_HEAP_H
#define HIERA_KEPT_HEAP_H

#include <stddef.h>

/* A block, zeroed; NULL if there is no memory. */
void *hiera_kept_take(size_t bytes);

/* Give it back; NULL is allowed. */
void hiera_kept_give(void *block);

/* A copy of a text; NULL if there is none, or no memory. The second function frees `text`, which is of malloc. */
char *hiera_kept_copy(const char *text);
char *hiera_kept_move(char *text);

/* In a forked child: another thread may have been in one of these functions. */
void hiera_kept_heap_in_child(void);

#endif
