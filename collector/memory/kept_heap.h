/* Blocks of kept memory (kept_memory.h) for data that records refer to, and that threads make without the lock of the
 * writer: names of communicators, long lists. If nothing is kept, blocks are from malloc. Not for signal handlers. */
#pragma once

#include <stddef.h>

/* Return a zeroed block of memory that survives a kill, else of malloc; NULL if there is no memory. */
void *hiera_kept_take(size_t bytes);

/* The same, but a block of more than a megabyte is from malloc: for data that a trace can do without, so that it never
 * takes the room of records. */
void *hiera_kept_take_small(size_t bytes);

/* Free a block of one of these; NULL is allowed. */
void hiera_kept_give(void *block);

/* Copy a text into a block; NULL if `text` is NULL, or no memory. The second function also free()s `text`. */
char *hiera_kept_copy(const char *text);
char *hiera_kept_move(char *text);

/* In a child of fork: make a new lock, since another thread of the parent may have held it at the fork. */
void hiera_kept_heap_in_child(void);
