/* Errors that nobody foresees are handled where the compiler puts what is unlikely: there the program would end early.
 * With an argument it ends early as likely as not. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((cold, noinline)) static int fail(const char *what, int number)
{
    fprintf(stderr, "%s: %d\n", what, number);
    return 1;
}

/* Whether something is wrong with a number: it is not. */
__attribute__((noinline)) static int is_wrong(int number)
{
    if (getpid() == -number)
        return fail("process", number);
    return getppid() == -number ? fail("parent", number) : 0;
}

int main(int argc, char **argv)
{
    int size;
    if (is_wrong(1))
        return fail("main", 1);
    MPI_Init(&argc, &argv);
    if (argc > 1) {
        if (getpid() & 1)
            return 3;
    }
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 30; i++) {
        if (is_wrong(i))
            return fail("step", i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return size < 1;
}
