/* See told_end.h. The first rank takes the results of the others one after the other, so that it needs no more memory for
 * many ranks than for one. */
#include "told_end.h"

#include "probing/results.h"

#include <stdint.h>
#include <stdlib.h>

enum { TAG = 1 };

/* Bytes go in pieces whose number fits MPI's counts. */
static const size_t piece = (size_t)1 << 30;

static void send(const char *bytes, uint64_t n, MPI_Comm members)
{
    PMPI_Send(&n, 1, MPI_UINT64_T, 0, TAG, members);
    for (uint64_t at = 0; at < n; at += piece)
        PMPI_Send(bytes + at, (int)(n - at < piece ? n - at : piece), MPI_BYTE, 0, TAG, members);
}

/* @return  malloc'ed; NULL if there is none: what comes is dropped then */
static char *receive(int rank, size_t *bytes, MPI_Comm members)
{
    uint64_t n = 0;
    PMPI_Recv(&n, 1, MPI_UINT64_T, rank, TAG, members, MPI_STATUS_IGNORE);
    char *to = n > 0 ? malloc(n) : NULL, *drop = n > 0 && !to ? malloc(n < piece ? n : piece) : NULL;
    *bytes = to ? n : 0;
    for (uint64_t at = 0; at < n && (to || drop); at += piece)
        PMPI_Recv(to ? to + at : drop, (int)(n - at < piece ? n - at : piece), MPI_BYTE, rank, TAG, members, MPI_STATUS_IGNORE);
    free(drop);
    return to;
}

static void gather(const char *own, size_t bytes, int size, MPI_Comm members)
{
    HieraProbeTotals *totals = hiera_results_begin();
    hiera_results_add(totals, own, bytes);
    for (int rank = 1; rank < size; rank++) {
        size_t n;
        char *theirs = receive(rank, &n, members);
        hiera_results_add(totals, theirs, n);
        free(theirs);
    }
    hiera_results_print(totals);
}

void hiera_told_end(MPI_Comm members)
{
    int rank, size;
    if (members == MPI_COMM_NULL) {
        hiera_results_end_alone();
        return;
    }
    size_t bytes;
    const char *own = hiera_results_end(&bytes);
    PMPI_Comm_rank(members, &rank);
    PMPI_Comm_size(members, &size);
    if (rank == 0)
        gather(own, bytes, size, members);
    else
        send(own, bytes, members);
}
