/* The large-count functions of MPI 4: their operations have names of their own and 64-bit counts. */
#include "expect.h"
#include "unseen.h"

static int rank;

#if MPI_VERSION >= 4
static int size, data[16], got[16];

static void messages(void)
{
    MPI_Request request;
    MPI_Status status;
    MPI_Count n;
    EXPECT("irecv_c", "count=16 type=MPI_INT rem=%d tag=1 comm=MPI_COMM_WORLD request=1", rank);
    MPI_Irecv_c(got, 16, MPI_INT, rank, 1, MPI_COMM_WORLD, &request);
    EXPECT("send_c", "count=5 type=MPI_INT dest=%d tag=1 comm=MPI_COMM_WORLD bytes=20", rank);
    MPI_Send_c(data, 5, MPI_INT, rank, 1, MPI_COMM_WORLD);
    EXPECT("wait", "requests=1 sources=%d tags=1 sizes=20", rank);
    MPI_Wait(&request, &status);
    EXPECT("get_count_c", "type=MPI_INT count=5");
    MPI_Get_count_c(&status, MPI_INT, &n);
}

static void collectives(void)
{
    MPI_Count counts[8];
    MPI_Aint places[8];
    EXPECT("bcast_c", "count=3 type=MPI_INT root=0 comm=MPI_COMM_WORLD bytes=%d rbytes=%d", rank ? 0 : 12, rank ? 12 : 0);
    MPI_Bcast_c(data, 3, MPI_INT, 0, MPI_COMM_WORLD);
    EXPECT("allreduce_c", "count=3 type=MPI_INT op=MPI_SUM comm=MPI_COMM_WORLD bytes=12 rbytes=12");
    MPI_Allreduce_c(data, got, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = i;
    }
    EXPECT("allgatherv_c", "scount=1 stype=MPI_INT rcounts='%s' displs='%s'", size == 1 ? "1" : size == 2 ? "1 1" : "1 1 1 1", size == 1 ? "0" : size == 2 ? "0 1" : "0 1 2 3");
    ALSO("rtype=MPI_INT comm=MPI_COMM_WORLD bytes=4 rbytes=%d", 4 * size);
    MPI_Allgatherv_c(data, 1, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
}

static void types(void)
{
    MPI_Datatype type;
    MPI_Count n;
    EXPECT("type_contiguous_c", "count=5000000000 oldtype=MPI_INT newtype=P%d_dtype1", rank);
    MPI_Type_contiguous_c(5000000000, MPI_INT, &type);
    EXPECT("type_size_c", "type=P%d_dtype1 size=20000000000", rank);
    MPI_Type_size_c(type, &n);
    EXPECT("send_c", "count=5000000000 type=MPI_INT dest=MPI_PROC_NULL tag=1 comm=MPI_COMM_WORLD bytes=0");
    MPI_Send_c(data, 5000000000, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    EXPECT("type_free", "type=P%d_dtype1", rank);
    MPI_Type_free(&type);
}
#endif

int main(int argc, char **argv)
{
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
#if MPI_VERSION >= 4
    UNSEEN(Comm_size)(MPI_COMM_WORLD, &size);
    messages();
    collectives();
    types();
#endif
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
