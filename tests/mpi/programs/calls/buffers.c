/* Memory that MPI still has and somebody uses, each mistake with a corrected twin, on two ranks. The case reads from this
 * file which lines must have a finding: WRONG, severity, what it says. SEEN: only where the machine stops at watchpoints;
 * LATE: only where it does not. No other line may have one. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { TAG = 1 };
static int rank, other;
static int out[64], in[64], table[64];
static volatile int word;
static MPI_Request requests[5];
static MPI_Win win;

static void begin_exchange(int *to, int *from, int n)
{
    MPI_Irecv(to, n, MPI_INT, other, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(from, n, MPI_INT, other, TAG, MPI_COMM_WORLD, &requests[1]);
}

static void end_exchange(void)
{
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void calls(void)
{
    begin_exchange(in, out, 4);
    MPI_Irecv(in + 2, 4, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &requests[4]);
    MPI_Irecv(in + 2, 4, MPI_INT, other, TAG, MPI_COMM_WORLD, &requests[2]); /* WRONG error writes into the receive buffer */
    MPI_Isend(out, 4, MPI_INT, other, TAG, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
    begin_exchange(in, out, 4);
    MPI_Allreduce(in + 8, out + 3, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* WRONG error writes into the send buffer of isend */
    MPI_Allreduce(out + 3, in + 8, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(in, in + 8, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* WRONG error reads the receive buffer of irecv */
    end_exchange();
    MPI_Allreduce(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Sendrecv(out, 4, MPI_INT, other, TAG, out + 2, 4, MPI_INT, other, TAG, MPI_COMM_WORLD, /* WRONG error overlap */
                 MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, out, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* Two sends that MPI may complete at once and give one handle: the second is waited for first. */
static void swapped(void)
{
    MPI_Isend(out, 1, MPI_INT, other, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out + 1, 1, MPI_INT, other, TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE); /* WRONG warning would deadlock without buffering */
    out[1]++;
    MPI_Recv(out + 1, 1, MPI_INT, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in, 1, MPI_INT, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

/* Columns of a table lie between each other, and no byte is in both. */
static void columns(void)
{
    MPI_Datatype column;
    MPI_Type_vector(8, 1, 8, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Irecv(table, 1, column, other, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(table + 1, 1, column, other, TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(table + 2, 1, column, other, TAG, MPI_COMM_WORLD);
    MPI_Send(out, 8, MPI_INT, other, TAG, MPI_COMM_WORLD);
    end_exchange();
    MPI_Irecv(table, 1, column, other, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&table[11], 2, MPI_INT, other, TAG, MPI_COMM_WORLD, &requests[1]); /* in a gap */
    MPI_Send(table + 2, 1, column, other, TAG, MPI_COMM_WORLD);
    MPI_Send(out, 2, MPI_INT, other, TAG, MPI_COMM_WORLD);
    end_exchange();
    MPI_Irecv(table, 1, column, other, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&table[13], 4, MPI_INT, other, TAG, MPI_COMM_WORLD, &requests[1]); /* WRONG error writes into the receive */
    MPI_Send(table + 2, 1, column, other, TAG, MPI_COMM_WORLD);
    MPI_Send(out, 4, MPI_INT, other, TAG, MPI_COMM_WORLD);
    end_exchange();
    MPI_Type_free(&column);
}

/* Parts of a datatype that is sent may be the same bytes; one that is as long as its data may then have gaps. */
static void twice(void)
{
    MPI_Datatype parts;
    const int at[] = {0, 0, 2};
    MPI_Type_create_indexed_block(3, 1, at, MPI_INT, &parts);
    MPI_Type_commit(&parts);
    MPI_Isend(out, 1, parts, other, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(out + 1, 1, MPI_INT, other, TAG + 1, MPI_COMM_WORLD, &requests[1]); /* in the gap */
    MPI_Recv(in, 3, MPI_INT, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(in, 1, MPI_INT, other, TAG + 1, MPI_COMM_WORLD);
    end_exchange();
    MPI_Type_free(&parts);
}

static void persistent(void)
{
    MPI_Recv_init(in, 1, MPI_INT, other, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, 1, MPI_INT, other, TAG, MPI_COMM_WORLD, &requests[1]);
    in[0] = out[0] = rank;
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, requests);
        end_exchange();
        in[0] += out[0]++;
    }
    MPI_Startall(2, requests);
    out[0]++;                                      /* SEEN error changes the send buffer of startall */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* LATE error has changed the send buffer of startall */
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void own_accesses(void)
{
    begin_exchange(in, out, 2);
    in[8] = out[0]; /* what MPI reads may be read */
    word = in[0];   /* SEEN error reads the receive buffer of irecv */
    end_exchange();
    word = in[0];
    begin_exchange(in, out, 2);
    memset(out, 1, sizeof out);                    /* SEEN error changes the send buffer of isend */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* LATE error has changed the send buffer of isend */
    begin_exchange(in, out, 16);
    out[16]++;
    end_exchange();
    begin_exchange(in, out, 16);
    out[15]++;
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* WRONG error has changed the send buffer of isend */
}

static void __attribute__((noinline)) begin_with_variable(void)
{
    int own = rank;
    begin_exchange(in, &own, 1);
}

static void leave_function(void)
{
    begin_with_variable();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* WRONG error has left the function with the send buffer */
}

/* Accumulates of whole values are made one after the other, those that meet in parts of values are not. */
static void accumulate(void)
{
    MPI_Win_create(table, sizeof table, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(out, 2, MPI_INT, 0, 4 * rank, 2, MPI_INT, MPI_SUM, win);
    MPI_Accumulate(out, 2, MPI_INT, 0, 16 + rank, 2, MPI_INT, MPI_SUM, win); /* WRONG warning conflicts with accumulate */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void windows(void)
{
    memset(table, 0, sizeof table);
    MPI_Win_create(table, sizeof table, sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(out, 2, MPI_INT, 0, 8, 2, MPI_INT, win); /* WRONG warning conflicts with put */
    MPI_Put(out, 2, MPI_INT, 0, 16 + 2 * rank, 2, MPI_INT, win);
    MPI_Accumulate(out, 2, MPI_INT, 0, 24, 2, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Get(in, 2, MPI_INT, other, 8, 2, MPI_INT, win);
    word = in[0]; /* SEEN error reads the receive buffer of get */
    MPI_Win_fence(0, win);
    word = in[0] + table[0];
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(out, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    else
        table[0]++; /* SEEN note conflicts with put */
    MPI_Win_fence(0, win);
    table[0]++;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(out, 1, MPI_INT, 0, 4, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
    MPI_Put(out, 1, MPI_INT, other, 40, 1, MPI_INT, win);
    out[0]++;                   /* SEEN error changes the send buffer of put */
    MPI_Win_unlock(other, win); /* LATE error has changed the send buffer of put */
    out[0]++;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(out, 1, MPI_INT, 1, 5, 1, MPI_INT, win);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Get(in, 1, MPI_INT, 1, 5, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    calls();
    swapped();
    columns();
    twice();
    persistent();
    own_accesses();
    leave_function();
    windows();
    accumulate();
    MPI_Finalize();
    return 0;
}
