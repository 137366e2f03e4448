/* Calls from few call sites that are almost like earlier calls. The collector caches the text of earlier calls, and
 * must notice each difference. Differences come in an irregular order. */
#include <hiera.h>

#include "expect.h"

enum { ROUNDS = 400, KINDS = 7 };

static int rank, data[64], other[64];
static unsigned state = 12345;

static int choose(int n)
{
    state = state * 1103515245u + 12345u;
    return (int)((state >> 16) % (unsigned)n);
}

static void exchange(int kind)
{
    static const struct {
        int count, tag, room, any;
    } kinds[KINDS] = {{1, 5, 1, 0}, {2, 5, 2, 0}, {1, 6, 1, 0}, {1, 5, 9, 0}, {1, 5, 1, 1}, {0, 5, 1, 0}, {2, 5, 9, 0}};
    int count = kinds[kind].count, tag = kinds[kind].tag, room = kinds[kind].room, any = kinds[kind].any;
    MPI_Request requests[2];
    EXPECT("isend", "count=%d type=MPI_INT dest=%d tag=%d comm=MPI_COMM_WORLD request=%d bytes=%d", count, rank, tag, ++expect_request, 4 * count);
    MPI_Isend(data, count, MPI_INT, rank, tag, MPI_COMM_WORLD, &requests[0]);
    EXPECT("receive", "count=%d type=MPI_INT rem=%d tag=%d comm=MPI_COMM_WORLD bytes=%d%s", room, rank, tag, 4 * count, any ? " posted=any" : "");
    MPI_Recv(other, room, MPI_INT, any ? MPI_ANY_SOURCE : rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT("wait", "requests=%d sources=- tags=- sizes=-", expect_request);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    EXPECT("irecv", "count=%d type=MPI_INT rem=%s tag=%d comm=MPI_COMM_WORLD request=%d", room, any ? "MPI_ANY_SOURCE" : rank ? "1" : "0", tag, ++expect_request);
    MPI_Irecv(other, room, MPI_INT, any ? MPI_ANY_SOURCE : rank, tag, MPI_COMM_WORLD, &requests[0]);
    EXPECT("isend", "count=%d type=MPI_INT dest=%d tag=%d comm=MPI_COMM_WORLD request=%d bytes=%d", count, rank, tag, ++expect_request, 4 * count);
    MPI_Isend(data, count, MPI_INT, rank, tag, MPI_COMM_WORLD, &requests[1]);
    EXPECT("waitall", "count=2 requests='%d %d' sources='%d -' tags='%d -' sizes='%d -'", expect_request - 1, expect_request, rank, tag, 4 * count);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* The same number of requests, but other ones; some are MPI_REQUEST_NULL. */
static void several(int kind)
{
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int mine[3] = {0};
    for (int i = 0; i < 3; i++) {
        if (i == kind)
            continue;
        EXPECT("isend", "count=1 type=MPI_INT dest=MPI_PROC_NULL tag=%d comm=MPI_COMM_WORLD request=%d bytes=0", kind, mine[i] = ++expect_request);
        MPI_Isend(data, 1, MPI_INT, MPI_PROC_NULL, kind, MPI_COMM_WORLD, &requests[i]);
    }
    EXPECT("waitall", "count=3 requests='%d %d %d' sources='- - -' tags='- - -' sizes='- - -'", mine[0], mine[1], mine[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

/* Lists and texts, of the same length and of other lengths. */
static void lists(int kind)
{
    int lengths[3] = {1, 1 + kind % 3, 1}, places[3] = {0, 4, 8 + kind / 3};
    MPI_Datatype type;
    char name[] = "name 0";
    name[5] = (char)('0' + kind);
    if (kind % 2) {
        EXPECT("type_indexed", "count=3 blocklengths='1 %d 1' displacements='0 4 %d' oldtype=MPI_INT newtype=*", lengths[1], places[2]);
        MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
    } else {
        EXPECT("type_indexed", "count=2 blocklengths='1 %d' displacements='0 4' oldtype=MPI_INT newtype=*", lengths[1]);
        MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
    }
    EXPECT("type_free", "type=*");
    MPI_Type_free(&type);
    EXPECT("comm_set_name", "comm=MPI_COMM_SELF comm_name='%s'", name + kind % 2);
    MPI_Comm_set_name(MPI_COMM_SELF, name + kind % 2);
}

/* The inputs are the same, the outputs differ; some values are missing in some calls. */
static void results(int kind)
{
    int flag, position = 4 * kind;
    EXPECT("iprobe", kind % 2 ? "rem=MPI_ANY_SOURCE tag=3 comm=MPI_COMM_WORLD flag=0 posted=any" : "rem=%d tag=3 comm=MPI_COMM_WORLD flag=0", rank);
    MPI_Iprobe(kind % 2 ? MPI_ANY_SOURCE : rank, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    EXPECT("pack", "incount=1 type=MPI_INT outsize=64 position=%d comm=MPI_COMM_WORLD", position + 4);
    MPI_Pack(data, 1, MPI_INT, other, 64, &position, MPI_COMM_WORLD);
    EXPECT("comm_compare", "comm1=MPI_COMM_WORLD comm2=%s result=%s", kind % 2 ? "MPI_COMM_SELF" : "MPI_COMM_WORLD", "*");
    MPI_Comm_compare(MPI_COMM_WORLD, kind % 2 ? MPI_COMM_SELF : MPI_COMM_WORLD, &flag);
}

/* More different calls at one place than the collector declares at once: some are repeated, the others never. */
static void many(int round)
{
    int count = choose(60), tag = round % 2 ? 7 : 1000 + round;
    EXPECT("send", "count=%d type=MPI_INT dest=MPI_PROC_NULL tag=%d comm=MPI_COMM_WORLD bytes=0", count, tag);
    MPI_Send(data, count, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
    EXPECT_REGION("again", "level=app args='step=%d'", count);
    hiera_begin("app", "again", "step=%d", count);
    hiera_end();
}

int main(int argc, char **argv)
{
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    EXPECT("comm_rank", "comm=MPI_COMM_WORLD rank=*");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < ROUNDS; round++) {
        exchange(round % 100 < 50 ? choose(KINDS) : round / 50 % KINDS);
        several(choose(4));
        lists(choose(6));
        results(choose(4));
        many(round);
        many(round);
    }
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
