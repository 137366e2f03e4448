/* See observed_end.h. The first rank receives the results of the others one after the other, so that it needs no more
 * memory for many ranks than for one. */
#include "observed_end.h"

#include "mpi/call/own_calls.h"
#include "probing/results.h"

#include <stdint.h>
#include <stdlib.h>

enum { TAG = 1 };

/* Results are sent in pieces of at most so many bytes: a rank without memory for all of them can receive each piece. */
enum { PIECE = 1 << 16 };
/* sent instead of a number of bytes: no script ran on this rank, or it has ended already */
static const uint64_t nothing = UINT64_MAX;

/* Return the size of the piece that begins at a place in the results. */
static int piece_at(uint64_t at, uint64_t bytes)
{
    return bytes - at < PIECE ? (int)(bytes - at) : PIECE;
}

static void send(const char *bytes, uint64_t n, MPI_Comm members)
{
    hiera_own.Send(&n, 1, MPI_UINT64_T, 0, TAG, members);
    for (uint64_t at = 0; n != nothing && at < n; at += PIECE)
        hiera_own.Send(bytes + at, piece_at(at, n), MPI_BYTE, 0, TAG, members);
}

/* Receive the results of a rank, and add them to `totals`. If there is no memory for them, they are dropped. */
static void receive(HieraProbeTotals *totals, int rank, MPI_Comm members)
{
    uint64_t n = nothing;
    hiera_own.Recv(&n, 1, MPI_UINT64_T, rank, TAG, members, MPI_STATUS_IGNORE);
    if (n == nothing)
        return;
    static char dropped[PIECE];
    char *to = n > 0 ? malloc(n) : NULL;
    for (uint64_t at = 0; at < n; at += PIECE)
        hiera_own.Recv(to ? to + at : dropped, piece_at(at, n), MPI_BYTE, rank, TAG, members, MPI_STATUS_IGNORE);
    hiera_results_add(totals, to, to ? n : 0);
    free(to);
}

static void gather(const char *own, uint64_t bytes, int size, MPI_Comm members)
{
    HieraProbeTotals *totals = hiera_results_begin();
    if (bytes != nothing)
        hiera_results_add(totals, own, bytes);
    for (int rank = 1; rank < size; rank++)
        receive(totals, rank, members);
    hiera_results_print(totals);
}

/* Print, on the first rank, how much all members have lost. */
static void report_lost(int rank, MPI_Comm members)
{
    const HieraResultsLost lost = hiera_results_lost();
    uint64_t own[] = {lost.keys, lost.events, lost.ranks}, sum[] = {0, 0, 0};
    hiera_own.Reduce(own, sum, 3, MPI_UINT64_T, MPI_SUM, 0, members);
    if (rank == 0)
        hiera_results_say_lost(&(HieraResultsLost){sum[0], sum[1], sum[2]});
}

void hiera_observed_end(MPI_Comm members)
{
    const char *own = NULL;
    size_t bytes = 0;
    int rank, size;
    if (members == MPI_COMM_NULL) {
        hiera_results_end_alone();
        return;
    }
    bool ran = hiera_results_end(&own, &bytes);
    hiera_own.Comm_rank(members, &rank);
    hiera_own.Comm_size(members, &size);
    if (rank == 0)
        gather(own, ran ? bytes : nothing, size, members);
    else
        send(own, ran ? bytes : nothing, members);
    report_lost(rank, members);
}
