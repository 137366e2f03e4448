/* source: found from outside, R6
 * ingredient: a C++ error handler and a function for attributes throw exceptions through MPI calls, also one call inside another
 * mpi: openmpi
 * run: hiera-run mpirun -n 2 ./app; HIERA_MODE=profile hiera-run --dir=profile mpirun -n 2 ./app
 * expect: findings
 * expect: calls send 6
 * expect: calls error_string 8
 * expect: answer grep -c 'left="true"' trace0.xml => ^5$
 * expect: answer grep -h 'left=' profile/trace0.xml => (?s)"send".* calls="3" .*left="3"
 * expect: answer hiera-transform --validate . => (?s)note: send \(.*left-by-exceptions.cc:42\) on rank 0 did not return, .* upper bound \(6 times\).*errors: 0
 * expect: answer hiera-transform . --measure hotspots => partial: .*send .*:42\) on rank 0 did not return
 * expect: answer hiera-transform profile --measure profile => partial: .*3 calls of send .* on rank 0 did not return
 * expect: answer hiera-transform --validate profile => errors: 0
 */
#include <cstdio>
#include <mpi.h>
#include <stdexcept>

static int key;
static bool throws;

static void on_error(MPI_Comm *, int *error, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(*error, text, &length);
    throw std::runtime_error("MPI failed");
}

/* It leaves the inner call, and with it the outer one. */
static int on_delete(MPI_Comm, int, void *, void *)
{
    if (throws)
        MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    return MPI_SUCCESS;
}

static int send_wrongly()
{
    int value = 7;
    try {
        MPI_Send(&value, -1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    } catch (const std::runtime_error &) {
        return 1;
    }
    return 0;
}

static int delete_wrongly()
{
    try {
        MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    } catch (const std::runtime_error &) {
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int caught = 0;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
    for (int i = 0; i < 3; i++) {
        caught += send_wrongly();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    throws = true;
    caught += delete_wrongly();
    throws = false;
    std::printf("caught %d\n", caught);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
