/* Non-blocking and neighbourhood collectives, and with MPI 4 persistent ones. */
#include "expect.h"
#include "unseen.h"

#define W "comm=MPI_COMM_WORLD"

static int rank, size, a[256], b[256], ones[8], places[8];
static MPI_Datatype types[8];
static MPI_Request request;

static const char *list(int n, int first, int step)
{
    static char texts[8][80];
    static int turn;
    char *text = texts[turn++ % 8];
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < n; i++)
        length += (size_t)snprintf(text + length, 80 - length, "%s%d", i ? " " : "", first + i * step);
    return text;
}

static const char *words(int n, const char *word)
{
    static char texts[2][160];
    static int turn;
    char *text = texts[turn++ % 2];
    size_t length = 0;
    for (int i = 0; i < n; i++)
        length += (size_t)snprintf(text + length, 160 - length, "%s%s", i ? " " : "", word);
    return text;
}

static void done(void)
{
    EXPECT("wait", "requests=%d sources=- tags=- sizes=-", expect_request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void rooted(void)
{
    int root = rank == 0;
    EXPECT("ibarrier", W " request=%d", ++expect_request);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    done();
    EXPECT("ibcast", "count=7 type=MPI_INT root=0 " W " request=%d bytes=%d rbytes=%d", ++expect_request, root ? 28 : 0, root ? 0 : 28);
    MPI_Ibcast(a, 7, MPI_INT, 0, MPI_COMM_WORLD, &request);
    done();
    EXPECT("ireduce", "count=2 type=MPI_INT op=MPI_SUM root=0 " W " request=%d bytes=8 rbytes=%d", ++expect_request, root ? 8 : 0);
    MPI_Ireduce(a, b, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request);
    done();
    EXPECT("igather", "scount=2 stype=MPI_INT root=0 " W " request=%d bytes=8 rbytes=%d", ++expect_request, root ? 8 * size : 0);
    ALSO("%s", root ? "rcount=2 rtype=MPI_INT" : " ");
    MPI_Igather(a, 2, MPI_INT, b, 2, MPI_INT, 0, MPI_COMM_WORLD, &request);
    done();
    EXPECT("iscatter", "rcount=2 rtype=MPI_INT root=0 " W " request=%d bytes=%d rbytes=8", ++expect_request, root ? 8 * size : 0);
    ALSO("%s", root ? "scount=2 stype=MPI_INT" : " ");
    MPI_Iscatter(a, 2, MPI_INT, b, 2, MPI_INT, 0, MPI_COMM_WORLD, &request);
    done();
    EXPECT("igatherv", "scount=1 stype=MPI_INT root=0 " W " request=%d bytes=4 rbytes=%d", ++expect_request, root ? 4 * size : 0);
    if (root)
        ALSO("rcounts='%s' displs='%s' rtype=MPI_INT", list(size, 1, 0), list(size, 0, 4));
    ALSO(" ");
    MPI_Igatherv(a, 1, MPI_INT, b, ones, places, MPI_INT, 0, MPI_COMM_WORLD, &request);
    done();
    EXPECT("iscatterv", "rcount=1 rtype=MPI_INT root=0 " W " request=%d bytes=%d rbytes=4", ++expect_request, root ? 4 * size : 0);
    if (root)
        ALSO("scounts='%s' displs='%s' stype=MPI_INT", list(size, 1, 0), list(size, 0, 4));
    ALSO(" ");
    MPI_Iscatterv(a, ones, places, MPI_INT, b, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    done();
}

static void all(void)
{
    EXPECT("iallgather", "scount=3 stype=MPI_INT rcount=3 rtype=MPI_INT " W " request=%d bytes=12 rbytes=%d", ++expect_request, 12 * size);
    MPI_Iallgather(a, 3, MPI_INT, b, 3, MPI_INT, MPI_COMM_WORLD, &request);
    done();
    EXPECT("iallgatherv", "scount=1 stype=MPI_INT rcounts='%s' displs='%s'", list(size, 1, 0), list(size, 0, 4));
    ALSO("rtype=MPI_INT " W " request=%d bytes=4 rbytes=%d", ++expect_request, 4 * size);
    MPI_Iallgatherv(a, 1, MPI_INT, b, ones, places, MPI_INT, MPI_COMM_WORLD, &request);
    done();
    EXPECT("ialltoall", "rcount=2 rtype=MPI_INT " W " request=%d bytes=%d rbytes=%d", ++expect_request, 8 * size, 8 * size);
    MPI_Ialltoall(MPI_IN_PLACE, 2, MPI_INT, b, 2, MPI_INT, MPI_COMM_WORLD, &request);
    done();
    EXPECT("ialltoallv", "scounts='%s' sdispls='%s' stype=MPI_INT", list(size, 1, 0), list(size, 0, 4));
    ALSO("rcounts='%s' rdispls='%s' rtype=MPI_INT " W, list(size, 1, 0), list(size, 0, 4));
    ALSO("request=%d bytes=%d rbytes=%d", ++expect_request, 4 * size, 4 * size);
    MPI_Ialltoallv(a, ones, places, MPI_INT, b, ones, places, MPI_INT, MPI_COMM_WORLD, &request);
    done();
    EXPECT("ialltoallw", "scounts='%s' sdispls='%s' stypes='%s'", list(size, 1, 0), list(size, 0, 4), words(size, "MPI_FLOAT"));
    ALSO("rcounts='%s' rdispls='%s' rtypes='%s' " W, list(size, 1, 0), list(size, 0, 4), words(size, "MPI_FLOAT"));
    ALSO("request=%d bytes=%d rbytes=%d", ++expect_request, 4 * size, 4 * size);
    MPI_Ialltoallw(a, ones, places, types, b, ones, places, types, MPI_COMM_WORLD, &request);
    done();
    EXPECT("iallreduce", "count=4 type=MPI_FLOAT op=MPI_MIN " W " request=%d bytes=16 rbytes=16", ++expect_request);
    MPI_Iallreduce(a, b, 4, MPI_FLOAT, MPI_MIN, MPI_COMM_WORLD, &request);
    done();
    EXPECT("ireduce_scatter", "rcounts='%s' type=MPI_INT op=MPI_BOR " W " request=%d bytes=%d rbytes=4", list(size, 1, 0), ++expect_request, 4 * size);
    MPI_Ireduce_scatter(a, b, ones, MPI_INT, MPI_BOR, MPI_COMM_WORLD, &request);
    done();
    EXPECT("ireduce_scatter_block", "rcount=3 type=MPI_INT op=MPI_PROD " W " request=%d bytes=%d rbytes=12", ++expect_request, 12 * size);
    MPI_Ireduce_scatter_block(a, b, 3, MPI_INT, MPI_PROD, MPI_COMM_WORLD, &request);
    done();
    EXPECT("iscan", "count=5 type=MPI_LONG op=MPI_SUM " W " request=%d bytes=40 rbytes=40", ++expect_request);
    MPI_Iscan(a, b, 5, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
    done();
    EXPECT("iexscan", "count=5 type=MPI_LONG op=MPI_SUM " W " request=%d bytes=40 rbytes=40", ++expect_request);
    MPI_Iexscan(a, b, 5, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
    done();
}

/* A periodic line: each rank has two neighbours, which may be itself. */
static void neighbors(void)
{
#define L "comm=P0_comm1"
    MPI_Comm line;
    MPI_Aint far[2] = {0, 40};
    EXPECT("cart_create", W " ndims=1 dims=%d periods=1 reorder=0 newcomm=P0_comm1", size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &line);
    EXPECT("neighbor_allgather", "scount=3 stype=MPI_INT rcount=3 rtype=MPI_INT " L " bytes=12 rbytes=24");
    MPI_Neighbor_allgather(a, 3, MPI_INT, b, 3, MPI_INT, line);
    EXPECT("neighbor_allgatherv", "scount=1 stype=MPI_INT rcounts='1 1' displs='0 4' rtype=MPI_INT " L " bytes=4 rbytes=8");
    MPI_Neighbor_allgatherv(a, 1, MPI_INT, b, ones, places, MPI_INT, line);
    EXPECT("neighbor_alltoall", "scount=3 stype=MPI_INT rcount=3 rtype=MPI_INT " L " bytes=24 rbytes=24");
    MPI_Neighbor_alltoall(a, 3, MPI_INT, b, 3, MPI_INT, line);
    EXPECT("neighbor_alltoallv", "scounts='1 1' sdispls='0 4' stype=MPI_INT rcounts='1 1' rdispls='0 4' rtype=MPI_INT");
    ALSO(L " bytes=8 rbytes=8");
    MPI_Neighbor_alltoallv(a, ones, places, MPI_INT, b, ones, places, MPI_INT, line);
    EXPECT("neighbor_alltoallw", "scounts='1 1' sdispls='0 40' stypes='MPI_FLOAT MPI_FLOAT' rcounts='1 1' rdispls='0 40'");
    ALSO("rtypes='MPI_FLOAT MPI_FLOAT' " L " bytes=8 rbytes=8");
    MPI_Neighbor_alltoallw(a, ones, far, types, b, ones, far, types, line);

    EXPECT("ineighbor_allgather", "scount=3 stype=MPI_INT rcount=3 rtype=MPI_INT " L " request=%d bytes=12 rbytes=24", ++expect_request);
    MPI_Ineighbor_allgather(a, 3, MPI_INT, b, 3, MPI_INT, line, &request);
    done();
    EXPECT("ineighbor_allgatherv", "scount=1 stype=MPI_INT rcounts='1 1' displs='0 4' rtype=MPI_INT " L);
    ALSO("request=%d bytes=4 rbytes=8", ++expect_request);
    MPI_Ineighbor_allgatherv(a, 1, MPI_INT, b, ones, places, MPI_INT, line, &request);
    done();
    EXPECT("ineighbor_alltoall", "scount=3 stype=MPI_INT rcount=3 rtype=MPI_INT " L " request=%d bytes=24 rbytes=24", ++expect_request);
    MPI_Ineighbor_alltoall(a, 3, MPI_INT, b, 3, MPI_INT, line, &request);
    done();
    EXPECT("ineighbor_alltoallv", "scounts='1 1' sdispls='0 4' stype=MPI_INT rcounts='1 1' rdispls='0 4' rtype=MPI_INT");
    ALSO(L " request=%d bytes=8 rbytes=8", ++expect_request);
    MPI_Ineighbor_alltoallv(a, ones, places, MPI_INT, b, ones, places, MPI_INT, line, &request);
    done();
    EXPECT("ineighbor_alltoallw", "scounts='1 1' sdispls='0 40' stypes='MPI_FLOAT MPI_FLOAT' rcounts='1 1' rdispls='0 40'");
    ALSO("rtypes='MPI_FLOAT MPI_FLOAT' " L " request=%d bytes=8 rbytes=8", ++expect_request);
    MPI_Ineighbor_alltoallw(a, ones, far, types, b, ones, far, types, line, &request);
    done();
    EXPECT("comm_free", L);
    MPI_Comm_free(&line);
}

#if MPI_VERSION >= 4
static void start(void)
{
    for (int i = 0; i < 2; i++) {
        EXPECT("start", "requests=%d", expect_request);
        MPI_Start(&request);
        done();
    }
    UNSEEN(Request_free)(&request);
}

static void persistent(void)
{
    EXPECT("barrier_init", W " info=MPI_INFO_NULL request=%d", ++expect_request);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    start();
    EXPECT("bcast_init", "count=2 type=MPI_INT root=0 " W " info=MPI_INFO_NULL request=%d", ++expect_request);
    MPI_Bcast_init(a, 2, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    start();
    EXPECT("allreduce_init", "count=2 type=MPI_INT op=MPI_SUM " W " info=MPI_INFO_NULL request=%d", ++expect_request);
    MPI_Allreduce_init(a, b, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    start();
    EXPECT("reduce_init", "count=2 type=MPI_INT op=MPI_SUM root=0 " W " info=MPI_INFO_NULL request=%d", ++expect_request);
    MPI_Reduce_init(a, b, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    start();
    EXPECT("alltoall_init", "scount=2 stype=MPI_INT rcount=2 rtype=MPI_INT " W " info=MPI_INFO_NULL request=%d", ++expect_request);
    MPI_Alltoall_init(a, 2, MPI_INT, b, 2, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    start();
    EXPECT("allgather_init", "rcount=2 rtype=MPI_INT " W " info=MPI_INFO_NULL request=%d", ++expect_request);
    MPI_Allgather_init(MPI_IN_PLACE, 2, MPI_INT, b, 2, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    start();
    EXPECT("scan_init", "count=2 type=MPI_INT op=MPI_SUM " W " info=MPI_INFO_NULL request=%d", ++expect_request);
    MPI_Scan_init(a, b, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    start();
}

/* Each rank sends itself three partitions. */
static void partitioned(void)
{
    MPI_Request two[2];
    int flag, first = expect_request;
    EXPECT("psend_init", "partitions=3 count=2 type=MPI_INT dest=%d tag=9 " W " info=MPI_INFO_NULL request=%d bytes=24", rank, ++expect_request);
    MPI_Psend_init(a, 3, 2, MPI_INT, rank, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &two[0]);
    EXPECT("precv_init", "partitions=3 count=2 type=MPI_INT rem=%d tag=9 " W " info=MPI_INFO_NULL request=%d", rank, ++expect_request);
    MPI_Precv_init(b, 3, 2, MPI_INT, rank, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &two[1]);
    EXPECT("startall", "count=2 requests='%d %d'", first + 1, first + 2);
    MPI_Startall(2, two);
    EXPECT("pready", "partition=0 requests=%d", first + 1);
    MPI_Pready(0, two[0]);
    EXPECT("pready_range", "partition_low=1 partition_high=1 requests=%d", first + 1);
    MPI_Pready_range(1, 1, two[0]);
    EXPECT("pready_list", "length=1 partitions=2 requests=%d", first + 1);
    MPI_Pready_list(1, (int[]){2}, two[0]);
    EXPECT("parrived", "requests=%d partition=0 flag=*", first + 2);
    MPI_Parrived(two[1], 0, &flag);
    EXPECT("waitall", "count=2 requests='%d %d' sources=* tags=* sizes=*", first + 1, first + 2);
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    EXPECT("request_free", "requests=%d", first + 1);
    MPI_Request_free(&two[0]);
    EXPECT("request_free", "requests=%d", first + 2);
    MPI_Request_free(&two[1]);
}
#endif

int main(int argc, char **argv)
{
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    UNSEEN(Comm_size)(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 8; i++) {
        ones[i] = 1;
        places[i] = 4 * i;
        types[i] = MPI_FLOAT;
    }
    rooted();
    all();
    neighbors();
#if MPI_VERSION >= 4
    persistent();
    partitioned();
#endif
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
