/* One program in C and Fortran: handles are converted between the languages, and requests are started in one and
 * completed in the other. The Fortran functions are called by the names that a compiler gives them. */
#include "expect.h"
#include "unseen.h"

#ifdef PMPI_Comm_c2f /* a macro, not a function */
#define CONVERT(function) PMPI_##function
#else
#define CONVERT(function) UNSEEN(function)
#endif

typedef MPI_Fint I;
extern void mpi_barrier_(I *, I *);
extern void mpi_comm_dup_(I *, I *, I *);
extern void mpi_comm_free_(I *, I *);
extern void mpi_type_commit_(I *, I *);
extern void mpi_type_contiguous_(I *, I *, I *, I *);
extern void mpi_type_free_(I *, I *);
extern void mpi_irecv_(void *, I *, I *, I *, I *, I *, I *, I *);
extern void mpi_isend_(void *, I *, I *, I *, I *, I *, I *, I *);
extern void mpi_start_(I *, I *);
extern void mpi_wait_(I *, I *, I *);
extern void mpi_waitall_(I *, I *, I *, I *);

static int rank, size, next, previous, data[6], other[6];
static I error, one = 1, two = 2, three = 3, seven = 7, status[2 * sizeof(MPI_Status) / sizeof(I)];

static void communicators(void)
{
    MPI_Comm in_c;
    I in_fortran;
    EXPECT("comm_dup", "comm=MPI_COMM_WORLD newcomm=P0_comm1");
    MPI_Comm_dup(MPI_COMM_WORLD, &in_c);
    in_fortran = CONVERT(Comm_c2f)(in_c);
    EXPECT("barrier", "comm=P0_comm1");
    mpi_barrier_(&in_fortran, &error);
    EXPECT("comm_free", "comm=P0_comm1");
    mpi_comm_free_(&in_fortran, &error);
    I world = CONVERT(Comm_c2f)(MPI_COMM_WORLD);
    EXPECT("comm_dup", "comm=MPI_COMM_WORLD newcomm=P0_comm2");
    mpi_comm_dup_(&world, &in_fortran, &error);
    in_c = CONVERT(Comm_f2c)(in_fortran);
    EXPECT("barrier", "comm=P0_comm2");
    MPI_Barrier(in_c);
    EXPECT("comm_free", "comm=P0_comm2");
    MPI_Comm_free(&in_c);
}

/* A datatype made in each language, with its handles in both. */
static MPI_Datatype of_c, from_fortran;
static I of_fortran, from_c, integer, world;

static void make_types(void)
{
    integer = CONVERT(Type_c2f)(MPI_INT);
    world = CONVERT(Comm_c2f)(MPI_COMM_WORLD);
    EXPECT("type_contiguous", "count=3 oldtype=MPI_INT newtype=P%d_dtype1", rank);
    mpi_type_contiguous_(&three, &integer, &of_fortran, &error);
    EXPECT("type_commit", "type=P%d_dtype1", rank);
    mpi_type_commit_(&of_fortran, &error);
    from_fortran = CONVERT(Type_f2c)(of_fortran);
    EXPECT("type_contiguous", "count=2 oldtype=MPI_INT newtype=P%d_dtype2", rank);
    MPI_Type_contiguous(2, MPI_INT, &of_c);
    EXPECT("type_commit", "type=P%d_dtype2", rank);
    MPI_Type_commit(&of_c);
    from_c = CONVERT(Type_c2f)(of_c);
}

static void free_types(void)
{
    EXPECT("type_free", "type=P%d_dtype1", rank);
    MPI_Type_free(&from_fortran);
    EXPECT("type_free", "type=P%d_dtype2", rank);
    mpi_type_free_(&from_c, &error);
}

/* Requests: each is started in one language and completed in the other, with types that the other has made. */
static void complete_one(void)
{
    MPI_Request send, receive;
    I handle;
    EXPECT("irecv", "count=1 type=P%d_dtype1 rem=%d tag=7 comm=MPI_COMM_WORLD request=1", rank, previous);
    MPI_Irecv(other, 1, from_fortran, previous, 7, MPI_COMM_WORLD, &receive);
    EXPECT("isend", "count=1 type=P%d_dtype1 dest=%d tag=7 comm=MPI_COMM_WORLD request=2 bytes=12", rank, next);
    mpi_isend_(data, &one, &of_fortran, &next, &seven, &world, &handle, &error);
    send = CONVERT(Request_f2c)(handle);
    EXPECT("wait", "requests=2 sources=- tags=- sizes=-");
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    handle = CONVERT(Request_c2f)(receive);
    EXPECT("wait", "requests=1 sources=%d tags=7 sizes=12", previous);
    mpi_wait_(&handle, status, &error);
}

static void complete_all_in_c(void)
{
    MPI_Request both[2];
    I handle;
    EXPECT("irecv", "count=1 type=P%d_dtype2 rem=%d tag=7 comm=MPI_COMM_WORLD request=3", rank, previous);
    mpi_irecv_(other, &one, &from_c, &previous, &seven, &world, &handle, &error);
    both[0] = CONVERT(Request_f2c)(handle);
    EXPECT("isend", "count=1 type=P%d_dtype2 dest=%d tag=7 comm=MPI_COMM_WORLD request=4 bytes=8", rank, next);
    MPI_Isend(data, 1, of_c, next, 7, MPI_COMM_WORLD, &both[1]);
    EXPECT("waitall", "count=2 requests='3 4' sources='%d -' tags='7 -' sizes='8 -'", previous);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

static void complete_all_in_fortran(void)
{
    MPI_Request receive;
    I handles[2];
    EXPECT("irecv", "count=2 type=MPI_INT rem=%d tag=7 comm=MPI_COMM_WORLD request=5", previous);
    MPI_Irecv(other, 2, MPI_INT, previous, 7, MPI_COMM_WORLD, &receive);
    EXPECT("isend", "count=2 type=MPI_INT dest=%d tag=7 comm=MPI_COMM_WORLD request=6 bytes=8", next);
    mpi_isend_(data, &two, &integer, &next, &seven, &world, &handles[1], &error);
    handles[0] = CONVERT(Request_c2f)(receive);
    EXPECT("waitall", "count=2 requests='5 6' sources='%d -' tags='7 -' sizes='8 -'", previous);
    mpi_waitall_(&two, handles, status, &error);
}

/* Created and freed in C, started in Fortran, completed in both in turn. */
static void start_again(void)
{
    MPI_Request receive;
    MPI_Status last;
    EXPECT("recv_init", "count=1 type=MPI_INT rem=%d tag=7 comm=MPI_COMM_WORLD request=7", previous);
    MPI_Recv_init(other, 1, MPI_INT, previous, 7, MPI_COMM_WORLD, &receive);
    for (int i = 0; i < 2; i++) {
        I handle = CONVERT(Request_c2f)(receive);
        EXPECT("start", "requests=7");
        mpi_start_(&handle, &error);
        EXPECT("send", "count=1 type=MPI_INT dest=%d tag=7 comm=MPI_COMM_WORLD bytes=4", next);
        MPI_Send(data, 1, MPI_INT, next, 7, MPI_COMM_WORLD);
        if (i == 0) {
            EXPECT("wait", "requests=7 sources=%d tags=7 sizes=4", previous);
            mpi_wait_(&handle, status, &error);
        } else {
            EXPECT("wait", "requests=7 sources=%d tags=7 sizes=4", previous);
            MPI_Wait(&receive, &last);
        }
    }
    EXPECT("request_free", "requests=7");
    MPI_Request_free(&receive);
}

int main(int argc, char **argv)
{
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    UNSEEN(Comm_size)(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    communicators();
    make_types();
    complete_one();
    complete_all_in_c();
    complete_all_in_fortran();
    start_again();
    free_types();
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
