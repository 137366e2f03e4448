/* Fortran lists of texts: arrays of texts of equal length, padded with blanks. A blank text ends a list. */
#include "fortran.h"
#include "mpi/call/array_arguments.h"

#include <stdlib.h>
#include <string.h>

/* Return the length of a text without its padding; 0 for a text that ends a list (in some MPIs, MPI_ARGV_NULL is a
 * NUL). */
static size_t trimmed(const char *text, size_t length)
{
    if (length > 0 && *text == '\0')
        return 0;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return length;
}

/* Return how many texts stand before the first blank one. */
static int64_t count(const char *texts, size_t length, int64_t stride)
{
    int64_t n = 0;
    while (length > 0 && trimmed(texts + (size_t)(n * stride) * length, length) > 0)
        n++;
    return n;
}

/* Convert a list to C, in one allocated block: n texts, each `stride` texts behind the previous one. Only
 * MPI_Comm_spawn and similar functions come here; they are rare, so allocating memory is acceptable. */
static char **list_of(const char *texts, size_t length, int64_t n, int64_t stride)
{
    char **list = malloc((size_t)(n + 1) * sizeof *list + (size_t)n * (length + 1));
    char *to = list ? (char *)(list + n + 1) : NULL;
    for (int64_t i = 0; list && i < n; i++, to += length + 1) {
        const char *from = texts + (size_t)(i * stride) * length;
        size_t bytes = trimmed(from, length);
        memcpy(to, from, bytes);
        to[bytes] = '\0';
        list[i] = to;
    }
    if (list)
        list[n] = NULL;
    return list;
}

void hiera_fortran_put_words(HieraThread *thread, HieraMpiRecord *record, unsigned argument, const char *texts,
                             size_t length, int64_t n)
{
    char **list = list_of(texts, length, n < 0 ? count(texts, length, 1) : n, 1);
    if (list)
        hiera_mpi_put_words(thread, record, argument, list, -1);
    free(list);
}

void hiera_fortran_put_wordlists(HieraThread *thread, HieraMpiRecord *record, unsigned argument, const char *texts,
                                 size_t length, int64_t n)
{
    char ***lists = n > 0 ? calloc((size_t)n, sizeof *lists) : NULL;
    bool none = length > 0 && *texts == '\0'; /* the program passed MPI_ARGVS_NULL */
    for (int64_t i = 0; lists && !none && i < n; i++) {
        const char *first = texts + (size_t)i * length;
        lists[i] = list_of(first, length, count(first, length, n), n);
    }
    if (lists)
        hiera_mpi_put_wordlists(thread, record, argument, lists, n);
    for (int64_t i = 0; lists && i < n; i++)
        free(lists[i]);
    free(lists);
}
