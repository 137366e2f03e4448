/* Calls whose datatypes do not fit, each with a corrected twin, on two ranks. The case reads from this file which lines
 * must have a finding: WRONG, severity, what it says. No other line may have one. Sizes fit, so no call fails. */
#include <mpi.h>

static int rank, size;
static double out[256], in[256];
static MPI_Datatype two_ints, record, same_record, other_record, row, many, same_many, other_many, floats, ints;

#define SWAP(n, from, m, to)                                                                                           \
    MPI_Sendrecv(out, n, from, 1 - rank, 0, in, m, to, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)

static void make_struct(int n, MPI_Datatype first, MPI_Datatype second, MPI_Datatype *type)
{
    int blocks[80];
    MPI_Aint places[80];
    MPI_Datatype types[80];
    for (int i = 0; i < n; i++) {
        blocks[i] = 1 + (n > 2) * (i % 5);
        places[i] = 8 * (i / 2 * 7 + i % 2) % 1024;
        types[i] = i % 2 ? second : first;
    }
    MPI_Type_create_struct(n, blocks, places, types, type);
    MPI_Type_commit(type);
}

/* Types that are equal in other ways: a record by its parts, many fields once as they are and once in a copy. */
static void make_types(void)
{
    MPI_Datatype inner;
    MPI_Type_contiguous(2, MPI_INT, &two_ints);
    MPI_Type_commit(&two_ints);
    make_struct(2, MPI_INT, MPI_DOUBLE, &record);
    make_struct(2, MPI_INT, MPI_DOUBLE, &inner);
    MPI_Type_create_resized(inner, 0, 16, &same_record);
    MPI_Type_commit(&same_record);
    MPI_Type_free(&inner);
    make_struct(2, MPI_DOUBLE, MPI_INT, &other_record);
    MPI_Type_vector(4, 2, 4, MPI_FLOAT, &row);
    MPI_Type_commit(&row);
    make_struct(80, MPI_INT, MPI_DOUBLE, &many);
    MPI_Type_dup(many, &same_many);
    make_struct(80, MPI_FLOAT, MPI_DOUBLE, &other_many);
    ints = MPI_INT;
    floats = rank ? MPI_FLOAT : MPI_INT;
}

static void messages(void)
{
    SWAP(4, MPI_INT, 4, MPI_FLOAT); /* WRONG error sends 4 MPI_INT.* receives 4 MPI_FLOAT */
    SWAP(4, MPI_INT, 4, MPI_INT);
    SWAP(4, MPI_INT, 2, MPI_DOUBLE); /* WRONG error sends 4 MPI_INT.* receives 2 MPI_DOUBLE */
    SWAP(4, MPI_INT, 9, MPI_INT);
    SWAP(1, two_ints, 2, MPI_INT);
    SWAP(4, MPI_FLOAT, 1, row);
    SWAP(1, record, 1, other_record); /* WRONG error (int32 float64).* (float64 int32) */
    SWAP(1, record, 1, same_record);
    SWAP(1, MPI_INT, 1, record);
    SWAP(1, MPI_DOUBLE_INT, 1, other_record);
    SWAP(1, many, 1, other_many); /* WRONG warning sends 1 P._dtype.* receives 1 P._dtype */
    SWAP(1, many, 1, same_many);
    SWAP(4, MPI_INT, 4, MPI_UNSIGNED); /* WRONG warning MPI_UNSIGNED; MPI wants equal types */
    SWAP(4, MPI_INT, 16, MPI_BYTE);    /* WRONG warning MPI_BYTE; MPI wants equal types */
    SWAP(16, MPI_BYTE, 16, MPI_BYTE);
    SWAP(4, MPI_INT, 16, MPI_PACKED);
    SWAP(2, MPI_LONG, 2, MPI_INT64_T);
    SWAP(4, MPI_INT, 4, MPI_INTEGER);
    SWAP(0, MPI_INT, 4, MPI_FLOAT);
}

/* Two messages of requests that one call starts, or of which each has its own; only that with tag 1 can be wrong. */
static void persistent(MPI_Datatype type)
{
    MPI_Request requests[4];
    MPI_Status statuses[4];
    for (int tag = 0; tag < 2; tag++) {
        MPI_Recv_init(in + tag, 1, tag ? type : MPI_FLOAT, 1 - rank, tag, MPI_COMM_WORLD, &requests[2 * tag]);
        MPI_Send_init(out, 1, tag ? MPI_INT : MPI_FLOAT, 1 - rank, tag, MPI_COMM_WORLD, &requests[2 * tag + 1]);
    }
    for (int i = 0; type == MPI_INT && i < 4; i++)
        MPI_Start(&requests[i]);
    if (type != MPI_INT)
        MPI_Startall(4, requests); /* WRONG error sends 1 MPI_INT.* receives 1 MPI_FLOAT */
    MPI_Waitall(4, requests, statuses);
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
}

static void collectives(void)
{
    MPI_Bcast(out, 2, floats, 0, MPI_COMM_WORLD); /* WRONG error gives 2 MPI_INT.* gets 2 MPI_FLOAT */
    MPI_Bcast(out, rank ? 1 : 2, rank ? two_ints : ints, 0, MPI_COMM_WORLD);
    MPI_Allreduce(out, in, 2, floats, MPI_MAX, MPI_COMM_WORLD); /* WRONG error gives 2 MPI_INT.* gives 2 MPI_FLOAT */
    MPI_Allreduce(out, in, 2, ints, MPI_MAX, MPI_COMM_WORLD);
    MPI_Gather(out, 2, floats, in, 2, MPI_INT, 0, MPI_COMM_WORLD); /* WRONG error gives 2 MPI_FLOAT.* gets MPI_INT */
    MPI_Gather(out, 1, two_ints, in, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatter(out, 2, MPI_INT, in, 2, floats, 0, MPI_COMM_WORLD); /* WRONG error gives MPI_INT.* gets 2 MPI_FLOAT */
    MPI_Scatter(out, 2, MPI_INT, in, 1, two_ints, 0, MPI_COMM_WORLD);
    MPI_Allgather(out, 2, ints, in, 2, floats, MPI_COMM_WORLD); /* WRONG error gives MPI_INT.* gets MPI_FLOAT */
    MPI_Allgather(out, 1, two_ints, in, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INT, MPI_COMM_WORLD);
}

/* Counts and types for each rank. */
static void exchanges(void)
{
    int n[2] = {1, 1}, places[2] = {0, 16}, some[2] = {rank ? 1 : 2, rank ? 1 : 2}, mine[2] = {2, 1};
    MPI_Datatype types[2] = {rank ? MPI_FLOAT : MPI_DOUBLE, rank ? MPI_INT : MPI_FLOAT}, wrong[2] = {types[0], types[1]};
    wrong[1 - rank] = MPI_INT;
    MPI_Alltoallv(out, some, places, MPI_INT, in, mine, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(out, some, places, MPI_INT, in, mine, places, floats, MPI_COMM_WORLD); /* WRONG error gives . MPI_INT.* gets . MPI_FLOAT */
    MPI_Alltoallw(out, n, places, types, in, n, places, types, MPI_COMM_WORLD);
    MPI_Alltoallw(out, n, places, types, in, n, places, wrong, MPI_COMM_WORLD); /* WRONG error gives 1 MPI_FLOAT.* gets 1 MPI_INT */
}

static void neighbours(void)
{
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
    MPI_Neighbor_alltoall(out, 1, ints, in, 1, MPI_INT, ring);
    MPI_Neighbor_alltoall(out, 1, MPI_FLOAT, in, 1, MPI_INT, ring); /* WRONG error gives MPI_FLOAT.* gets MPI_INT */
    MPI_Comm_free(&ring);
}

static void windows(void)
{
    MPI_Win window;
    MPI_Win_create(in, sizeof in, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(out, 2, MPI_INT, 1 - rank, 0, 1, two_ints, window);
    MPI_Put(out, 2, MPI_INT, 1 - rank, 64, 2, MPI_FLOAT, window); /* WRONG error puts 2 MPI_INT where the target has 2 MPI_FLOAT */
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

#define WRITE(n, type) MPI_File_write_at(file, 64 * rank, out, n, type, MPI_STATUS_IGNORE)

/* The view of a file says what its elements are; before one is set, they are bytes, which take anything. */
static void files(void)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "mistyped.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    WRITE(4, MPI_FLOAT);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    WRITE(4, MPI_FLOAT); /* WRONG error has MPI_FLOAT .* elements of MPI_INT */
    WRITE(4, MPI_INT);
    WRITE(2, MPI_2INT);
    MPI_File_read_at_all(file, 64 * rank, in, 4, MPI_UNSIGNED, MPI_STATUS_IGNORE); /* WRONG warning MPI_UNSIGNED .* MPI_INT */
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    WRITE(4, MPI_DOUBLE);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_types();
    messages();
    persistent(MPI_INT);
    persistent(MPI_FLOAT);
    collectives();
    exchanges();
    neighbours();
    windows();
    MPI_Datatype *all[] = {&two_ints, &record, &same_record, &other_record, &row, &many, &same_many, &other_many};
    for (int i = 0; i < 8; i++)
        MPI_Type_free(all[i]);
    files();
    MPI_Finalize();
    return 0;
}
