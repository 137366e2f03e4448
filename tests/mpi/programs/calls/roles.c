/* Collectives with arguments that are significant only on some ranks: on an intercommunicator by the rank's role, at
 * the border of a topology by its neighbours; and calls to MPI_PROC_NULL. Three ranks, so that one group has a member
 * that is not the root. */
#include "expect.h"
#include "unseen.h"

#define IN "comm=*"

static int rank, a[64], b[64], counts[4] = {2, 2, 2, 2}, places[4] = {0, 2, 4, 6};
static int peers; /* number of members of the other group */
static MPI_Comm inter;
static MPI_Request request;

static void done(void)
{
    EXPECT("wait", "requests=%d sources=- tags=- sizes=-", expect_request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void make(void)
{
    int first = rank < 2;
    MPI_Comm own;
    EXPECT("comm_split", "comm=MPI_COMM_WORLD color=%d key=0 newcomm=*", first);
    MPI_Comm_split(MPI_COMM_WORLD, first, 0, &own);
    EXPECT("intercomm_create", "local_comm=* local_leader=0 peer_comm=MPI_COMM_WORLD remote_leader=%d tag=5 newcomm=*", first ? 2 : 0);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, first ? 2 : 0, 5, &inter);
    EXPECT("comm_free", IN);
    MPI_Comm_free(&own);
    peers = first ? 1 : 2;
}

/* The argument `root`, if the root is the first rank of the first or of the second group. */
static int root_of(int first)
{
    if ((rank < 2) != first)
        return 0;
    return rank == 0 || rank == 2 ? MPI_ROOT : MPI_PROC_NULL;
}

#define IS_ROOT   (root == MPI_ROOT)
#define IS_MEMBER (root >= 0)
#define IS_BOTH   (IS_ROOT || IS_MEMBER)
#define AT(role, ...) ALSO("%s", IS_##role ? __VA_ARGS__ : " ")
#define BYTES(sent, received) ALSO("bytes=%d rbytes=%d", sent, received)

static void rooted(int root)
{
    const char *name = IS_ROOT ? "MPI_ROOT" : IS_MEMBER ? "0" : "MPI_PROC_NULL";
    EXPECT("broadcast", IN " root=%s", name);
    AT(BOTH, "count=10 type=MPI_INT");
    BYTES(IS_ROOT * 40, IS_MEMBER * 40);
    MPI_Bcast(a, 10, MPI_INT, root, inter);
    EXPECT("gather", IN " root=%s", name);
    AT(MEMBER, "scount=2 stype=MPI_INT");
    AT(ROOT, "rcount=2 rtype=MPI_INT");
    BYTES(IS_MEMBER * 8, IS_ROOT * 8 * peers);
    MPI_Gather(a, 2, MPI_INT, b, 2, MPI_INT, root, inter);
    EXPECT("gatherv", IN " root=%s", name);
    AT(MEMBER, "scount=2 stype=MPI_INT");
    AT(ROOT, peers == 2 ? "rcounts='2 2' displs='0 2' rtype=MPI_INT" : "rcounts=2 displs=0 rtype=MPI_INT");
    BYTES(IS_MEMBER * 8, IS_ROOT * 8 * peers);
    MPI_Gatherv(a, 2, MPI_INT, b, counts, places, MPI_INT, root, inter);
    EXPECT("scatter", IN " root=%s", name);
    AT(ROOT, "scount=2 stype=MPI_INT");
    AT(MEMBER, "rcount=2 rtype=MPI_INT");
    BYTES(IS_ROOT * 8 * peers, IS_MEMBER * 8);
    MPI_Scatter(a, 2, MPI_INT, b, 2, MPI_INT, root, inter);
    EXPECT("scatterv", IN " root=%s", name);
    AT(ROOT, peers == 2 ? "scounts='2 2' displs='0 2' stype=MPI_INT" : "scounts=2 displs=0 stype=MPI_INT");
    AT(MEMBER, "rcount=2 rtype=MPI_INT");
    BYTES(IS_ROOT * 8 * peers, IS_MEMBER * 8);
    MPI_Scatterv(a, counts, places, MPI_INT, b, 2, MPI_INT, root, inter);
    EXPECT("reduce", IN " root=%s", name);
    AT(BOTH, "count=5 type=MPI_INT op=MPI_MAX");
    BYTES(IS_MEMBER * 20, IS_ROOT * 20);
    MPI_Reduce(a, b, 5, MPI_INT, MPI_MAX, root, inter);
}

static void rooted_later(int root)
{
    const char *name = IS_ROOT ? "MPI_ROOT" : IS_MEMBER ? "0" : "MPI_PROC_NULL";
    EXPECT("ibcast", IN " root=%s request=%d", name, ++expect_request);
    AT(BOTH, "count=10 type=MPI_INT");
    BYTES(IS_ROOT * 40, IS_MEMBER * 40);
    MPI_Ibcast(a, 10, MPI_INT, root, inter, &request);
    done();
    EXPECT("igatherv", IN " root=%s request=%d", name, ++expect_request);
    AT(MEMBER, "scount=2 stype=MPI_INT");
    AT(ROOT, peers == 2 ? "rcounts='2 2' displs='0 2' rtype=MPI_INT" : "rcounts=2 displs=0 rtype=MPI_INT");
    BYTES(IS_MEMBER * 8, IS_ROOT * 8 * peers);
    MPI_Igatherv(a, 2, MPI_INT, b, counts, places, MPI_INT, root, inter, &request);
    done();
    EXPECT("iscatter", IN " root=%s request=%d", name, ++expect_request);
    AT(ROOT, "scount=2 stype=MPI_INT");
    AT(MEMBER, "rcount=2 rtype=MPI_INT");
    BYTES(IS_ROOT * 8 * peers, IS_MEMBER * 8);
    MPI_Iscatter(a, 2, MPI_INT, b, 2, MPI_INT, root, inter, &request);
    done();
    EXPECT("ireduce", IN " root=%s request=%d", name, ++expect_request);
    AT(BOTH, "count=5 type=MPI_INT op=MPI_MAX");
    BYTES(IS_MEMBER * 20, IS_ROOT * 20);
    MPI_Ireduce(a, b, 5, MPI_INT, MPI_MAX, root, inter, &request);
    done();
}

/* Creating a persistent collective has the same roles. */
static void rooted_again(int root __attribute__((unused)))
{
#if MPI_VERSION >= 4
    const char *name = IS_ROOT ? "MPI_ROOT" : IS_MEMBER ? "0" : "MPI_PROC_NULL";
    MPI_Info info = MPI_INFO_NULL;
    EXPECT("bcast_init", IN " root=%s info=MPI_INFO_NULL request=%d", name, ++expect_request);
    AT(BOTH, "count=10 type=MPI_INT");
    MPI_Bcast_init(a, 10, MPI_INT, root, inter, info, &request);
    UNSEEN(Request_free)(&request);
    EXPECT("gather_init", IN " root=%s info=MPI_INFO_NULL request=%d", name, ++expect_request);
    AT(MEMBER, "scount=2 stype=MPI_INT");
    AT(ROOT, "rcount=2 rtype=MPI_INT");
    MPI_Gather_init(a, 2, MPI_INT, b, 2, MPI_INT, root, inter, info, &request);
    UNSEEN(Request_free)(&request);
#endif
}

/* Each group gets the data of the other one; reductions use the data of the other group. */
static void all(void)
{
    int to[2] = {rank < 2 ? 3 : 1, 1}, from[2] = {rank < 2 ? 1 : 3, 1};
    EXPECT("allgather", IN " scount=%d stype=MPI_INT rcount=%d rtype=MPI_INT", to[0], from[0]);
    BYTES(4 * to[0], 4 * from[0] * peers);
    MPI_Allgather(a, to[0], MPI_INT, b, from[0], MPI_INT, inter);
    EXPECT("alltoall", IN " scount=%d stype=MPI_INT rcount=%d rtype=MPI_INT", to[0], from[0]);
    BYTES(4 * to[0] * peers, 4 * from[0] * peers);
    MPI_Alltoall(a, to[0], MPI_INT, b, from[0], MPI_INT, inter);
    EXPECT("allreduce", IN " count=2 type=MPI_INT op=MPI_SUM bytes=8 rbytes=8");
    MPI_Allreduce(a, b, 2, MPI_INT, MPI_SUM, inter);
    EXPECT("reduce_scatter", IN " rcounts=%s type=MPI_INT op=MPI_SUM bytes=16 rbytes=%d", rank < 2 ? "'2 2'" : "4", rank < 2 ? 8 : 16);
    MPI_Reduce_scatter(a, b, rank < 2 ? counts : (int[]){4}, MPI_INT, MPI_SUM, inter);
}

/* A line of three ranks: those at the ends have one neighbour. */
static void borders(void)
{
    int n = rank == 1 ? 2 : 1, size = 3, left = rank == 0 ? 7 : 1, right = rank == 2 ? 7 : 1;
    MPI_Comm line;
    EXPECT("cart_create", "comm=MPI_COMM_WORLD ndims=1 dims=3 periods=0 reorder=0 newcomm=*");
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){0}, 0, &line);
    EXPECT("neighbor_alltoall", IN " scount=3 stype=MPI_INT rcount=3 rtype=MPI_INT bytes=%d rbytes=%d", 12 * n, 12 * n);
    MPI_Neighbor_alltoall(a, 3, MPI_INT, b, 3, MPI_INT, line);
    EXPECT("neighbor_allgather", IN " scount=3 stype=MPI_INT rcount=3 rtype=MPI_INT bytes=12 rbytes=%d", 12 * n);
    MPI_Neighbor_allgather(a, 3, MPI_INT, b, 3, MPI_INT, line);
    EXPECT("neighbor_alltoallv", IN " scounts='%d %d' sdispls='0 2' stype=MPI_INT rcounts='%d %d'", left, right, left, right);
    ALSO("rdispls='0 2' rtype=MPI_INT bytes=%d rbytes=%d", 4 * n, 4 * n);
    MPI_Neighbor_alltoallv(a, (int[]){left, right}, places, MPI_INT, b, (int[]){left, right}, places, MPI_INT, line);
    EXPECT("comm_free", IN);
    MPI_Comm_free(&line);
}

static void nobody(void)
{
#define W "comm=MPI_COMM_WORLD"
    MPI_Win win;
    EXPECT("send", "count=2 type=MPI_INT dest=MPI_PROC_NULL tag=1 " W " bytes=0");
    MPI_Send(a, 2, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    EXPECT("receive", "count=2 type=MPI_INT rem=MPI_PROC_NULL tag=MPI_ANY_TAG " W " bytes=0");
    MPI_Recv(b, 2, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT("allgatherv", "rcounts='2 2 2' displs='0 2 4' rtype=MPI_INT " W " bytes=8 rbytes=24");
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, counts, places, MPI_INT, MPI_COMM_WORLD);
    EXPECT("win_create", "size=64 disp_unit=4 info=MPI_INFO_NULL " W " win=*");
    MPI_Win_create(b, 64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    EXPECT("win_fence", "assert=0 win=*");
    MPI_Win_fence(0, win);
    EXPECT("put", "origin_count=2 origin_type=MPI_INT target_rank=MPI_PROC_NULL target_disp=0 target_count=2");
    ALSO("target_type=MPI_INT win=* bytes=0");
    MPI_Put(a, 2, MPI_INT, MPI_PROC_NULL, 0, 2, MPI_INT, win);
    EXPECT("get", "origin_count=2 origin_type=MPI_INT target_rank=MPI_PROC_NULL target_disp=0 target_count=2");
    ALSO("target_type=MPI_INT win=* bytes=0");
    MPI_Get(a, 2, MPI_INT, MPI_PROC_NULL, 0, 2, MPI_INT, win);
    EXPECT("get_accumulate", "origin_count=2 origin_type=MPI_INT result_count=2 result_type=MPI_INT target_rank=0 target_disp=0");
    ALSO("target_count=2 target_type=MPI_INT op=MPI_NO_OP win=* bytes=0 rbytes=8");
    MPI_Get_accumulate(a, 2, MPI_INT, b + 32, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_NO_OP, win);
    EXPECT("win_fence", "assert=0 win=*");
    MPI_Win_fence(0, win);
    EXPECT("win_free", "win=*");
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    make();
    for (int first = 0; first < 2; first++) {
        rooted(root_of(first));
        rooted_later(root_of(first));
        rooted_again(root_of(first));
    }
    all();
    EXPECT("comm_free", IN);
    MPI_Comm_free(&inter);
    borders();
    nobody();
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
