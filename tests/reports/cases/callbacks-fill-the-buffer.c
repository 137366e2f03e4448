/* source: found from outside, R3
 * ingredient: calls in callbacks, of which some are the first that do not fit into the buffer any more
 * mpi: openmpi
 * run: HIERA_BUFFER=128kB hiera-run mpirun -n 1 ./app
 * expect: calls barrier 6000
 * expect: answer hiera-transform --validate . => errors: 0
 */
#include <mpi.h>
#include <stddef.h>

static int key;

static int on_delete(MPI_Comm comm, int which, void *value, void *extra)
{
    (void)comm, (void)which, (void)value, (void)extra;
    for (int i = 0; i < 15; i++)
        MPI_Barrier(MPI_COMM_SELF);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
    for (int i = 0; i < 400; i++) {
        MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
        MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    }
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
