/* Blocking and non-blocking messages in a ring: modes, wildcards, MPI_PROC_NULL, short messages, probes. */
#include "expect.h"
#include "unseen.h"

static int rank, size, next, previous, data[64], other[64];
static char room[4096];

static void ring_of_modes(void)
{
    MPI_Request request;
    int detached;
    void *buffer;
    EXPECT("buffer_attach", "size=4096");
    MPI_Buffer_attach(room, sizeof room);

    EXPECT("isend", "count=3 type=MPI_INT dest=%d tag=1 comm=MPI_COMM_WORLD request=%d bytes=12", next, ++expect_request);
    MPI_Isend(data, 3, MPI_INT, next, 1, MPI_COMM_WORLD, &request);
    EXPECT("receive", "count=3 type=MPI_INT rem=%d tag=1 comm=MPI_COMM_WORLD bytes=12", previous);
    MPI_Recv(other, 3, MPI_INT, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT("wait", "requests=%d sources=- tags=- sizes=-", expect_request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    EXPECT("bsend", "count=2 type=MPI_DOUBLE dest=%d tag=2 comm=MPI_COMM_WORLD bytes=16", next);
    MPI_Bsend(data, 2, MPI_DOUBLE, next, 2, MPI_COMM_WORLD);
    EXPECT("receive", "count=4 type=MPI_DOUBLE rem=%d tag=2 comm=MPI_COMM_WORLD bytes=16", previous);
    MPI_Recv(other, 4, MPI_DOUBLE, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    EXPECT("irecv", "count=8 type=MPI_CHAR rem=%d tag=3 comm=MPI_COMM_WORLD request=%d", previous, ++expect_request);
    MPI_Irecv(other, 8, MPI_CHAR, previous, 3, MPI_COMM_WORLD, &request);
    EXPECT("ssend", "count=5 type=MPI_CHAR dest=%d tag=3 comm=MPI_COMM_WORLD bytes=5", next);
    MPI_Ssend(data, 5, MPI_CHAR, next, 3, MPI_COMM_WORLD);
    EXPECT("wait", "requests=%d sources=%d tags=3 sizes=5", expect_request, previous);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    EXPECT("irecv", "count=1 type=MPI_INT rem=%d tag=4 comm=MPI_COMM_WORLD request=%d", previous, ++expect_request);
    MPI_Irecv(other, 1, MPI_INT, previous, 4, MPI_COMM_WORLD, &request);
    EXPECT("barrier", "comm=MPI_COMM_WORLD");
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT("rsend", "count=1 type=MPI_INT dest=%d tag=4 comm=MPI_COMM_WORLD bytes=4", next);
    MPI_Rsend(data, 1, MPI_INT, next, 4, MPI_COMM_WORLD);
    EXPECT("wait", "requests=%d sources=%d tags=4 sizes=4", expect_request, previous);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    EXPECT("buffer_detach", "size=4096");
    MPI_Buffer_detach(&buffer, &detached);
}

static void non_blocking_modes(void)
{
    MPI_Request requests[6];
    int first = expect_request, detached;
    void *buffer;
    EXPECT("buffer_attach", "size=4096");
    MPI_Buffer_attach(room, sizeof room);
    for (int i = 0; i < 3; i++) {
        EXPECT("irecv", "count=9 type=MPI_SHORT rem=%d tag=%d comm=MPI_COMM_WORLD request=%d", previous, i, ++expect_request);
        MPI_Irecv(other + 8 * i, 9, MPI_SHORT, previous, i, MPI_COMM_WORLD, &requests[i]);
    }
    EXPECT("barrier", "comm=MPI_COMM_WORLD");
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT("ibsend", "count=7 type=MPI_SHORT dest=%d tag=0 comm=MPI_COMM_WORLD request=%d bytes=14", next, ++expect_request);
    MPI_Ibsend(data, 7, MPI_SHORT, next, 0, MPI_COMM_WORLD, &requests[3]);
    EXPECT("issend", "count=0 type=MPI_SHORT dest=%d tag=1 comm=MPI_COMM_WORLD request=%d bytes=0", next, ++expect_request);
    MPI_Issend(data, 0, MPI_SHORT, next, 1, MPI_COMM_WORLD, &requests[4]);
    EXPECT("irsend", "count=9 type=MPI_SHORT dest=%d tag=2 comm=MPI_COMM_WORLD request=%d bytes=18", next, ++expect_request);
    MPI_Irsend(data, 9, MPI_SHORT, next, 2, MPI_COMM_WORLD, &requests[5]);
    EXPECT("waitall", "count=6 requests='%d %d %d * * *'", first + 1, first + 2, first + 3);
    ALSO("sources='%d %d %d - - -' tags='0 1 2 - - -' sizes='14 0 18 - - -'", previous, previous, previous);
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    EXPECT("buffer_detach", "size=4096");
    MPI_Buffer_detach(&buffer, &detached);
}

static void wildcards(void)
{
    MPI_Request request;
    MPI_Status status;
    EXPECT("isend", "count=3 type=MPI_INT dest=%d tag=77 comm=MPI_COMM_WORLD request=%d bytes=12", next, ++expect_request);
    MPI_Isend(data, 3, MPI_INT, next, 77, MPI_COMM_WORLD, &request);
    EXPECT("receive", "count=64 type=MPI_INT rem=%d tag=77 comm=MPI_COMM_WORLD bytes=12 posted=any posted_tag=any", previous);
    MPI_Recv(other, 64, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT("wait", "requests=%d sources=- tags=- sizes=-", expect_request);
    MPI_Wait(&request, &status);

    EXPECT("irecv", "count=64 type=MPI_BYTE rem=MPI_ANY_SOURCE tag=MPI_ANY_TAG comm=MPI_COMM_WORLD request=%d", ++expect_request);
    MPI_Irecv(other, 64, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    EXPECT("send", "count=9 type=MPI_BYTE dest=%d tag=78 comm=MPI_COMM_WORLD bytes=9", next);
    MPI_Send(data, 9, MPI_BYTE, next, 78, MPI_COMM_WORLD);
    EXPECT("wait", "requests=%d sources=%d tags=78 sizes=9", expect_request, previous);
    MPI_Wait(&request, &status);
    if (status.MPI_SOURCE != previous || status.MPI_TAG != 78)
        exit(98);
}

static void nowhere(void)
{
    EXPECT("send", "count=3 type=MPI_INT dest=MPI_PROC_NULL tag=5 comm=MPI_COMM_WORLD bytes=0");
    MPI_Send(data, 3, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD);
    EXPECT("receive", "count=3 type=MPI_INT rem=MPI_PROC_NULL tag=MPI_ANY_TAG comm=MPI_COMM_WORLD bytes=0");
    MPI_Recv(other, 3, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT("sendrecv", "scount=1 stype=MPI_INT dest=MPI_PROC_NULL stag=1 rcount=1 rtype=MPI_INT rem=MPI_PROC_NULL");
    ALSO("rtag=MPI_ANY_TAG comm=MPI_COMM_WORLD bytes=0 rbytes=0");
    MPI_Sendrecv(data, 1, MPI_INT, MPI_PROC_NULL, 1, other, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchanges(void)
{
    MPI_Status status;
    EXPECT("sendrecv", "scount=8 stype=MPI_SHORT dest=%d stag=6 rcount=32 rtype=MPI_SHORT rem=%d rtag=6", next, previous);
    ALSO("comm=MPI_COMM_WORLD bytes=16 rbytes=16");
    MPI_Sendrecv(data, 8, MPI_SHORT, next, 6, other, 32, MPI_SHORT, previous, 6, MPI_COMM_WORLD, &status);
    EXPECT("sendrecv", "scount=8 stype=MPI_SHORT dest=%d stag=6 rcount=32 rtype=MPI_SHORT rem=%d rtag=6", next, previous);
    ALSO("comm=MPI_COMM_WORLD bytes=16 rbytes=16 posted=any posted_tag=any");
    MPI_Sendrecv(data, 8, MPI_SHORT, next, 6, other, 32, MPI_SHORT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    EXPECT("sendrecv_replace", "count=2 type=MPI_DOUBLE dest=%d stag=8 rem=%d rtag=8 comm=MPI_COMM_WORLD", next, previous);
    ALSO("bytes=16 rbytes=16");
    MPI_Sendrecv_replace(data, 2, MPI_DOUBLE, next, 8, previous, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void probes(void)
{
    MPI_Request request;
    MPI_Message message;
    MPI_Status status;
    int flag;
    for (int i = 0; i < 4; i++) {
        EXPECT("isend", "count=3 type=MPI_INT dest=%d tag=%d comm=MPI_COMM_WORLD request=%d bytes=12", next, i, ++expect_request);
        MPI_Isend(data, 3, MPI_INT, next, i, MPI_COMM_WORLD, &request);
        EXPECT("request_free", "requests=%d", expect_request);
        MPI_Request_free(&request);
    }
    EXPECT("probe", "rem=%d tag=0 comm=MPI_COMM_WORLD posted=any", previous);
    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    EXPECT("iprobe", "rem=%d tag=0 comm=MPI_COMM_WORLD flag=1 posted_tag=any", previous);
    MPI_Iprobe(previous, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    EXPECT("iprobe", "rem=%d tag=99 comm=MPI_COMM_WORLD flag=0", previous);
    MPI_Iprobe(previous, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    EXPECT("receive", "count=3 type=MPI_INT rem=%d tag=0 comm=MPI_COMM_WORLD bytes=12", previous);
    MPI_Recv(other, 3, MPI_INT, previous, 0, MPI_COMM_WORLD, &status);

    EXPECT("mprobe", "rem=%d tag=1 comm=MPI_COMM_WORLD message=P%d_message1", previous, rank);
    MPI_Mprobe(previous, 1, MPI_COMM_WORLD, &message, &status);
    EXPECT("mrecv", "count=4 type=MPI_INT message=P%d_message1 bytes=12", rank);
    MPI_Mrecv(other, 4, MPI_INT, &message, MPI_STATUS_IGNORE);
    EXPECT("probe", "rem=%d tag=2 comm=MPI_COMM_WORLD", previous);
    MPI_Probe(previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT("improbe", "rem=%d tag=2 comm=MPI_COMM_WORLD flag=1 message=* posted=any", previous);
    MPI_Improbe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    EXPECT("imrecv", "count=4 type=MPI_INT message=* request=%d", ++expect_request);
    MPI_Imrecv(other, 4, MPI_INT, &message, &request);
    EXPECT("wait", "requests=%d sources=%d tags=2 sizes=12", expect_request, previous);
    MPI_Wait(&request, &status);
    EXPECT("improbe", "rem=%d tag=99 comm=MPI_COMM_WORLD flag=0", previous);
    MPI_Improbe(previous, 99, MPI_COMM_WORLD, &flag, &message, &status);
    EXPECT("receive", "count=3 type=MPI_INT rem=%d tag=3 comm=MPI_COMM_WORLD bytes=12", previous);
    MPI_Recv(other, 3, MPI_INT, previous, 3, MPI_COMM_WORLD, &status);
}

int main(int argc, char **argv)
{
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    UNSEEN(Comm_size)(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    ring_of_modes();
    non_blocking_modes();
    wildcards();
    nowhere();
    exchanges();
    if (size > 1) /* in MPICH 4.0 a probe for a message from itself never returns */
        probes();
    EXPECT("barrier", "comm=MPI_COMM_WORLD");
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
