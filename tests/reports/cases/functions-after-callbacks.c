/* source: found from outside, R3
 * ingredient: instrumented functions that begin between an MPI call with a callback that calls MPI, and the next event
 * mpi: openmpi
 * build: mpicc -g -finstrument-functions %f -o app
 * run: hiera-run mpirun -n 1 ./app; hiera-run --dir=ends mpirun -n 1 ./app ends
 * expect: calls barrier 3
 * expect: answer cat trace0.xml => "send"[^>]*>\s*</hieraMPI>\s*<hieraRegion[^>]*>\s*<hieraRegion[^>]*>\s*<hieraMPI operation="barrier"[^>]*>\s*</hieraRegion>\s*</hieraRegion>\s*<hieraMPI operation="barrier"[^>]*>\s*</hieraRegion>\s*<hieraMPI operation="barrier"
 * expect: answer cat ends/trace0.xml => "send"[^>]*>\s*</hieraMPI>\s*<hieraRegion[^>]*>\s*<hieraRegion
 * expect: answer hiera-transform --validate . => errors: 0
 * expect: answer hiera-transform --validate ends => errors: 0
 */
#include <mpi.h>
#include <unistd.h>

static int ends;

static int on_delete(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    MPI_Send(&key, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    return MPI_SUCCESS;
}

static void f(void)
{
    if (ends)
        _exit(0);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void g(void)
{
    f();
}

static void outer(MPI_Comm comm)
{
    MPI_Comm_free(&comm);
    g();
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int key;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    ends = argc > 1;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_set_attr(copy, key, &key);
    outer(copy);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
