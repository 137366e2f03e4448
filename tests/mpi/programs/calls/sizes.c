/* Buffers that are longer than the variable or block behind them, of another type, or where no memory is, each mistake with a corrected
 * twin, on two ranks. The case reads from this file which lines must have a finding: WRONG, severity, what it says. No
 * other line may have one. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1, N = 8 };

typedef struct Pair {
    int first[2], second[6];
} Pair;

static int rank, other, *wide, global[N], behind[N];
int shared[3];
static Pair pair;

/* Send to the other rank what it receives into a variable that is long enough. */
static void send(const void *from, int n, MPI_Datatype type)
{
    MPI_Request request;
    MPI_Irecv(wide, 2 * N, type, other, TAG, MPI_COMM_WORLD, &request);
    MPI_Send(from, n, type, other, TAG, MPI_COMM_WORLD); /* WRONG error argument 1, buf, is read for 64 bytes, 32 of them beyond the allocated block of 32 bytes */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void exchange(void)
{
    int little[3] = {1, 2, 3}, one = 1;
    double number = 1, received;
    MPI_Request request;
    MPI_Allreduce(little, wide, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(little, wide, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* WRONG error argument 1, sendbuf, is read for 16 bytes, 4 of them beyond the variable little of 12 bytes */
    MPI_Allreduce(little + 1, wide, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(little + 1, wide, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* WRONG error beyond the variable little of 12 bytes, in which it begins */
    MPI_Allreduce(little, wide, 3, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD); /* WRONG note argument 1, sendbuf, is MPI_UNSIGNED, and the variable little has int32 */
    MPI_Allreduce(&number, wide, 2, MPI_INT, MPI_BAND, MPI_COMM_WORLD);    /* WRONG note is MPI_INT, and the variable number has float64 */
    MPI_Bcast(little, sizeof little, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Irecv(&one, 1, MPI_DOUBLE, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(&one, 1, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD, &request); /* WRONG warning argument 1, buf, is written for up to 8 bytes, 4 of them beyond the variable one of 4 bytes */
    MPI_Send(&number, 0, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(&received, 1, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD, &request);
    MPI_Send(&number, 1, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++) {
        int inner[2] = {i, i};
        MPI_Allreduce(inner, wide, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(inner, wide, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* WRONG error beyond the variable inner of 8 bytes */
    }
}

static void not_on_a_stack(void)
{
    static int kept[2];
    MPI_Allreduce(global, wide, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(global, wide, N + 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* WRONG error beyond the variable global of 32 bytes */
    MPI_Allreduce(shared, wide, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);     /* WRONG error beyond the variable shared of 12 bytes */
    MPI_Allreduce(kept, wide, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);       /* WRONG error beyond the variable kept of 8 bytes */
    MPI_Allreduce(pair.first, wide, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* the whole structure */
    MPI_Allreduce(behind, wide, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void allocated(void)
{
    int *block = calloc(N, sizeof *block), *larger = realloc(malloc(1), 2 * N * sizeof *larger), *odd = malloc(6);
    memset(larger, 0, 2 * N * sizeof *larger);
    send(block, N, MPI_INT);
    send(block, 2 * N, MPI_INT);
    send(larger, 2 * N, MPI_INT);
    MPI_Bcast(odd, 6, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(odd, 2, MPI_INT, 0, MPI_COMM_WORLD); /* WRONG error 2 of them beyond the allocated block of 6 bytes */
    free(block);
    free(larger);
    free(odd);
}

/* Datatypes with gaps: in one variable, and in two. */
static void strided(void)
{
    MPI_Datatype column;
    int matrix[3][3] = {{0}};
    MPI_Type_vector(3, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Bcast(&matrix[0][2], 1, column, 0, MPI_COMM_WORLD);
    MPI_Bcast(&matrix[1][0], 1, column, 0, MPI_COMM_WORLD); /* WRONG warning beyond the variable matrix of 36 bytes */
    MPI_Type_free(&column);
}

/* Variables apart from each other, by absolute addresses. */
static void absolute(void)
{
    MPI_Aint places[2];
    MPI_Datatype both;
    int first = 1, second = 2;
    MPI_Get_address(&first, &places[0]);
    MPI_Get_address(&second, &places[1]);
    MPI_Type_create_hindexed(2, (int[]){1, 1}, places, MPI_INT, &both);
    MPI_Type_commit(&both);
    MPI_Bcast(MPI_BOTTOM, 1, both, 0, MPI_COMM_WORLD);
    MPI_Type_free(&both);
}

static void of_a_caller(int *values, int n)
{
    int length_of_array[n];
    memset(length_of_array, 0, sizeof length_of_array);
    MPI_Bcast(length_of_array, n, MPI_INT, 0, MPI_COMM_WORLD); /* its length is known only at run time */
    MPI_Bcast(values, n, MPI_INT, 0, MPI_COMM_WORLD);
}

static void windows(void)
{
    MPI_Win win;
    int *block = malloc(N * sizeof *block);
    MPI_Win_create(block, N * sizeof *block, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_free(&win);
    MPI_Win_create(block, (N + 1) * sizeof *block, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win); /* WRONG error argument 1, base, is a window of 36 bytes, 4 of them beyond the allocated block of 32 bytes */
    MPI_Win_free(&win);
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_free(&win);
    MPI_Win_create(block, N * sizeof *block, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    free(block);
    MPI_Win_free(&win); /* WRONG note has freed the memory of the window */
}

int main(int argc, char **argv)
{
    int values[N] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    wide = calloc((size_t)2 * N, sizeof *wide);
    if (argc > 1 && strcmp(argv[1], "misplaced") == 0)
        MPI_Gather(values, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, MPI_COMM_SELF); /* ENDS argument 4, recvbuf */
    if (argc > 1) {
        MPI_Send(NULL, 1, MPI_INT, other, TAG, MPI_COMM_WORLD); /* ENDS error argument 1, buf, is a null pointer */
        MPI_Finalize();
        return 0;
    }
    MPI_Gather(MPI_IN_PLACE, 0, MPI_INT, values, 1, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Allreduce(MPI_IN_PLACE, values, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    exchange();
    not_on_a_stack();
    allocated();
    strided();
    absolute();
    of_a_caller(values, N);
    windows();
    free(wide);
    MPI_Finalize();
    return 0;
}
