/* Lists of ranks as text: "0-6:2 9" is 0 2 4 6 9. The only file that knows the notation: it writes the members of
 * communicators and groups, and reads the ranks of a filter rule. */
#ifndef HIERA_RANK_LIST_H
#define HIERA_RANK_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Format ranks in their order, runs of equal stride joined; a negative rank, a process of another job, is "?". The
 * caller frees the text with free(); NULL without memory. */
char *hiera_rank_list_format(const int *ranks, int n);

/* Is this text a list of ranks? It must not have a "?". */
bool hiera_rank_list_is_valid(const char *text, size_t length);

/* The rank at this place of a list, from 0; -1: the list ends before it, or a process of another job is there. */
long hiera_rank_list_at(const char *text, long place);

/* Does a valid list have this rank? */
bool hiera_rank_list_has(const char *text, size_t length, long rank);

#endif
