/* Lists of ranks as text: "0-6:2 9" is 0 2 4 6 9. Only this file knows the notation: it writes the members of
 * communicators and groups, and reads the ranks of a filter rule. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Format ranks in their order, with runs of equal stride joined; a negative rank (a process of another job) becomes
 * "?". The caller frees the text with free(); NULL without memory. */
char *hiera_rank_list_format(const int *ranks, int n);

/* Whether the text is a list of ranks without "?" (processes of other jobs). */
bool hiera_rank_list_is_valid(const char *text, size_t length);

/* The rank at index `place` of the list; -1: the list is shorter, or a "?" is at that index. */
long hiera_rank_list_at(const char *text, long place);

/* Whether the list, which is valid, contains this rank. */
bool hiera_rank_list_has(const char *text, size_t length, long rank);
