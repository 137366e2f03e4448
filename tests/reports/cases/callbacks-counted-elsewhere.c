/* source: found from outside, R3
 * ingredient: calls in callbacks, one of them the last action of its callback, in a profile, with rules and with a probe script
 * mpi: openmpi
 * build: mpicc -O2 -g %f -o app
 * run: printf 'job: MPITime <= WallTime\njob: calls == 9\noperation comm_free: MPITime <= WallTime\n' >rules.txt; printf 'call::[end]::b* { print(&path, &depth); }\n' >script.probe; HIERA_ASSERT=rules.txt hiera-run mpirun -n 1 ./app; HIERA_MODE=profile hiera-run --dir=profile mpirun -n 1 ./app; hiera-run --dir=told --probe=script.probe mpirun -n 1 ./app
 * expect: other output
 * expect: calls barrier 5
 * expect: calls reduce_local 2
 * expect: answer hiera-transform --assert rules.txt --reports . => (?s)rules.txt:1  ok .*rules.txt:2  ok .*rules.txt:3  ok
 * expect: answer hiera-transform . --assert rules.txt => (?s)rules.txt:1  ok .*rules.txt:2  ok .*rules.txt:3  ok
 * expect: answer grep -c 'hieraMPI.*"barrier".* calls="2"' profile/trace0.xml; grep -c hieraLost profile/trace0.xml => ^2\n0$
 * expect: answer grep -A9 '"comm_free"' profile/trace0.xml => (?m)^    <hieraMPI operation="reduce_local"
 * expect: answer hiera-transform profile --measure counts => (?m)^mpi +barrier +5$
 * expect: answer grep -c '"barrier"' told/trace0.xml => ^5$
 * expect: says (?s)(comm_free > barrier 1\n){4}barrier 0
 */
#include <mpi.h>
#include <unistd.h>

static int key, one = 1, sum;
static MPI_Op op;

static void slow(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
    usleep(100000);
}

static int on_delete(MPI_Comm comm, int which, void *value, void *extra)
{
    (void)comm, (void)which, (void)value, (void)extra;
    MPI_Reduce_local(&one, &sum, 1, MPI_INT, op);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Barrier(MPI_COMM_SELF); /* compilers make a jump of it */
}

int main(int argc, char **argv)
{
    MPI_Comm copies[2];
    volatile int n = 2; /* one call in a loop */
    MPI_Init(&argc, &argv);
    MPI_Op_create(slow, 1, &op);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
    for (int i = 0; i < n; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &copies[i]);
        MPI_Comm_set_attr(copies[i], key, &key);
    }
    for (int i = 0; i < n; i++)
        MPI_Comm_free(&copies[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
