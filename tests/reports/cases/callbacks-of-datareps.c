/* source: found from outside, R3
 * ingredient: MPI-IO with a representation of data of the program's own, whose functions make MPI calls (both MPIs
 *     refuse to set a view with it today, so none of these is called), and an error handler of files that makes one
 * run: hiera-run mpirun -n 2 ./app
 * expect: answer grep -c 'operation="type_get_envelope"' trace0.xml | sed 's/^/in the trace: /'; cat calls.0 => (?s)^in the trace: (\d+)\ncalled \1$
 * expect: answer hiera-transform --validate . => errors: 0
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int n_calls;

static void ask(MPI_Datatype type)
{
    int n_integers, n_addresses, n_types, combiner;
    MPI_Type_get_envelope(type, &n_integers, &n_addresses, &n_types, &combiner);
    n_calls++;
}

static int extent(MPI_Datatype type, MPI_Aint *bytes, void *extra)
{
    MPI_Aint lower;
    (void)extra;
    ask(type);
    return MPI_Type_get_extent(type, &lower, bytes);
}

static int convert(void *user, MPI_Datatype type, int n, void *file, MPI_Offset at, void *extra)
{
    int size;
    (void)at, (void)extra;
    ask(type);
    MPI_Type_size(type, &size);
    memcpy(user, file, (size_t)n * (size_t)size);
    return MPI_SUCCESS;
}

static void on_error(MPI_File *file, int *error, ...)
{
    (void)file, (void)error;
    ask(MPI_INT);
}

int main(int argc, char **argv)
{
    int rank, values[4] = {1, 2, 3, 4};
    char name[16];
    MPI_File file;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_create_errhandler(on_error, &handler);
    MPI_Register_datarep("own", convert, convert, extent, NULL);
    MPI_File_open(MPI_COMM_WORLD, "values", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    int error = MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "own", MPI_INFO_NULL);
    if (error == MPI_SUCCESS)
        error = MPI_File_write_at(file, 4 * rank, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_set_errhandler(file, handler);
    MPI_File_call_errhandler(file, MPI_ERR_OTHER);
    MPI_File_close(&file);
    MPI_Errhandler_free(&handler);
    printf("rank %d: %d calls, error %d\n", rank, n_calls, error != MPI_SUCCESS);
    snprintf(name, sizeof name, "calls.%d", rank);
    FILE *told = fopen(name, "w");
    fprintf(told, "called %d\n", n_calls);
    fclose(told);
    MPI_Finalize();
    return 0;
}
