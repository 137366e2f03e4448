/* Blocking collectives in all forms, with MPI_IN_PLACE, and the bytes of reductions. */
#include "expect.h"
#include "unseen.h"

#define W "comm=MPI_COMM_WORLD"

static int rank, size, last, a[256], b[256];
static int counts[8], places[8], byte_places[8];
static MPI_Datatype types[8];

static const char *list(int first, int step)
{
    static char texts[8][80];
    static int turn;
    char *text = texts[turn++ % 8];
    size_t n = 0;
    text[0] = '\0';
    for (int i = 0; i < size; i++)
        n += (size_t)snprintf(text + n, 80 - n, "%s%d", i ? " " : "", first + i * step);
    return text;
}

/* The word `n` times, separated by blanks. */
static const char *words(const char *word)
{
    static char texts[2][160];
    static int turn;
    char *text = texts[turn++ % 2];
    size_t n = 0;
    for (int i = 0; i < size; i++)
        n += (size_t)snprintf(text + n, 160 - n, "%s%s", i ? " " : "", word);
    return text;
}

/* 1 + 2 + … + size. */
static int sum(void)
{
    return size * (size + 1) / 2;
}

static void rooted(void)
{
    int root = rank == last;
    EXPECT("broadcast", "count=7 type=MPI_INT root=%d " W " %s", last, root ? "bytes=28 rbytes=0" : "bytes=0 rbytes=28");
    MPI_Bcast(a, 7, MPI_INT, last, MPI_COMM_WORLD);
    EXPECT("reduce", "count=2 type=MPI_DOUBLE op=MPI_SUM root=%d " W " bytes=16 rbytes=%d", last, root ? 16 : 0);
    MPI_Reduce(a, b, 2, MPI_DOUBLE, MPI_SUM, last, MPI_COMM_WORLD);
    EXPECT("gather", "scount=2 stype=MPI_INT root=%d " W " bytes=8 rbytes=%d", last, root ? 8 * size : 0);
    ALSO("%s", root ? "rcount=2 rtype=MPI_INT" : " ");
    MPI_Gather(a, 2, MPI_INT, b, 2, MPI_INT, last, MPI_COMM_WORLD);
    EXPECT("scatter", "rcount=2 rtype=MPI_INT root=%d " W " bytes=%d rbytes=8", last, root ? 8 * size : 0);
    ALSO("%s", root ? "scount=2 stype=MPI_INT" : " ");
    MPI_Scatter(a, 2, MPI_INT, b, 2, MPI_INT, last, MPI_COMM_WORLD);

    EXPECT("gatherv", "scount=%d stype=MPI_INT root=%d " W " bytes=%d rbytes=%d", rank + 1, last, 4 * rank + 4, root ? 4 * sum() : 0);
    if (root)
        ALSO("rcounts='%s' displs='%s' rtype=MPI_INT", list(1, 1), list(0, 10));
    ALSO(" ");
    MPI_Gatherv(a, rank + 1, MPI_INT, b, counts, places, MPI_INT, last, MPI_COMM_WORLD);
    EXPECT("scatterv", "rcount=%d rtype=MPI_INT root=%d " W " bytes=%d rbytes=%d", rank + 1, last, root ? 4 * sum() : 0, 4 * rank + 4);
    if (root)
        ALSO("scounts='%s' displs='%s' stype=MPI_INT", list(1, 1), list(0, 10));
    ALSO(" ");
    MPI_Scatterv(a, counts, places, MPI_INT, b, rank + 1, MPI_INT, last, MPI_COMM_WORLD);
}

static void rooted_in_place(void)
{
    int root = rank == last;
    void *in = root ? MPI_IN_PLACE : (void *)a, *out = root ? MPI_IN_PLACE : (void *)b;
    EXPECT("reduce", "count=2 type=MPI_DOUBLE op=MPI_MAX root=%d " W " bytes=16 rbytes=%d", last, root ? 16 : 0);
    MPI_Reduce(in, b, 2, MPI_DOUBLE, MPI_MAX, last, MPI_COMM_WORLD);
    EXPECT("gather", "root=%d " W " %s", last, root ? "bytes=0 rcount=2 rtype=MPI_INT" : "bytes=8 scount=2 stype=MPI_INT");
    ALSO("rbytes=%d", root ? 8 * size : 0);
    MPI_Gather(in, 2, MPI_INT, b, 2, MPI_INT, last, MPI_COMM_WORLD);
    EXPECT("scatter", "root=%d " W " %s", last, root ? "rbytes=0 scount=2 stype=MPI_INT" : "rbytes=8 rcount=2 rtype=MPI_INT");
    ALSO("bytes=%d", root ? 8 * size : 0);
    MPI_Scatter(a, 2, MPI_INT, out, 2, MPI_INT, last, MPI_COMM_WORLD);
}

static void all(void)
{
    EXPECT("barrier", W);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT("allgather", "scount=3 stype=MPI_INT rcount=3 rtype=MPI_INT " W " bytes=12 rbytes=%d", 12 * size);
    MPI_Allgather(a, 3, MPI_INT, b, 3, MPI_INT, MPI_COMM_WORLD);
    EXPECT("allgather", "rcount=3 rtype=MPI_INT " W " bytes=12 rbytes=%d", 12 * size);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 3, MPI_INT, MPI_COMM_WORLD);
    EXPECT("allgatherv", "scount=%d stype=MPI_INT rcounts='%s' displs='%s'", rank + 1, list(1, 1), list(0, 10));
    ALSO("rtype=MPI_INT " W " bytes=%d rbytes=%d", 4 * rank + 4, 4 * sum());
    MPI_Allgatherv(a, rank + 1, MPI_INT, b, counts, places, MPI_INT, MPI_COMM_WORLD);
    EXPECT("alltoall", "scount=2 stype=MPI_INT rcount=2 rtype=MPI_INT " W " bytes=%d rbytes=%d", 8 * size, 8 * size);
    MPI_Alltoall(a, 2, MPI_INT, b, 2, MPI_INT, MPI_COMM_WORLD);
    EXPECT("alltoall", "rcount=2 rtype=MPI_INT " W " bytes=%d rbytes=%d", 8 * size, 8 * size);
    MPI_Alltoall(MPI_IN_PLACE, 2, MPI_INT, b, 2, MPI_INT, MPI_COMM_WORLD);
    int same[8];
    for (int i = 0; i < size; i++)
        same[i] = rank + 1;
    EXPECT("alltoallv", "scounts='%s' sdispls='%s' stype=MPI_INT", list(1, 1), list(0, 10));
    ALSO("rcounts='%s' rdispls='%s' rtype=MPI_INT " W, list(rank + 1, 0), list(0, 10));
    ALSO("bytes=%d rbytes=%d", 4 * sum(), 4 * size * (rank + 1));
    MPI_Alltoallv(a, counts, places, MPI_INT, b, same, places, MPI_INT, MPI_COMM_WORLD);
    EXPECT("alltoallw", "scounts='%s' sdispls='%s' stypes='%s'", list(1, 1), list(0, 40), words("MPI_FLOAT"));
    ALSO("rcounts='%s' rdispls='%s' rtypes='%s' " W, list(rank + 1, 0), list(0, 40), words("MPI_FLOAT"));
    ALSO("bytes=%d rbytes=%d", 4 * sum(), 4 * size * (rank + 1));
    MPI_Alltoallw(a, counts, byte_places, types, b, same, byte_places, types, MPI_COMM_WORLD);
}

static void reductions(void)
{
    EXPECT("allreduce", "count=4 type=MPI_FLOAT op=MPI_MIN " W " bytes=16 rbytes=16");
    MPI_Allreduce(a, b, 4, MPI_FLOAT, MPI_MIN, MPI_COMM_WORLD);
    EXPECT("allreduce", "count=1 type=MPI_2INT op=MPI_MAXLOC " W " bytes=8 rbytes=8");
    MPI_Allreduce(MPI_IN_PLACE, b, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    EXPECT("reduce_scatter", "rcounts='%s' type=MPI_INT op=MPI_BOR " W " bytes=%d rbytes=%d", list(1, 1), 4 * sum(), 4 * rank + 4);
    MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    EXPECT("reduce_scatter_block", "rcount=3 type=MPI_INT op=MPI_PROD " W " bytes=%d rbytes=12", 12 * size);
    MPI_Reduce_scatter_block(a, b, 3, MPI_INT, MPI_PROD, MPI_COMM_WORLD);
    EXPECT("scan", "count=5 type=MPI_LONG op=MPI_SUM " W " bytes=40 rbytes=40");
    MPI_Scan(a, b, 5, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    EXPECT("exscan", "count=5 type=MPI_LONG op=MPI_SUM " W " bytes=40 rbytes=40");
    MPI_Exscan(a, b, 5, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    EXPECT("reduce_local", "count=6 type=MPI_INT op=MPI_LAND");
    MPI_Reduce_local(a, b, 6, MPI_INT, MPI_LAND);
}

int main(int argc, char **argv)
{
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    UNSEEN(Comm_size)(MPI_COMM_WORLD, &size);
    last = size - 1;
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        places[i] = 10 * i;
        byte_places[i] = 40 * i;
        types[i] = MPI_FLOAT;
    }
    rooted();
    rooted_in_place();
    all();
    reductions();
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
