/* Calls all functions of library.h and prints the results, which must be the same with wrappers and without. With the
 * argument "absent" it calls the function that no library defines. */
#include "library.h"

#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#pragma weak lib_absent

static int twice(int n, void *closure)
{
    MPI_Barrier(MPI_COMM_WORLD);
    *(int *)closure += n;
    return 2 * n;
}

static int leave(int n, void *closure)
{
    (void)n;
    pthread_exit(closure);
}

static void *thread(void *closure)
{
    lib_apply(leave, 3, closure);
    return NULL;
}

static void values(void)
{
    double _Complex z = lib_complex(1.5, 2.0f + 3.0f * I);
    printf("%g %g\n", creal(z), cimag(z));
    printf("%Lg\n", lib_long(1e300L, 0.5f));
    Pair pair = lib_swap((Pair){1.25f, -7.0f});
    printf("%g %g\n", (double)pair.x, (double)pair.y);
    Many many = lib_many(3, (Many){{1, 2, 3, 4, 5}, 4});
    printf("%g %g %g %g %g %d\n", many.values[0], many.values[1], many.values[2], many.values[3], many.values[4], many.count);
    printf("%lld\n", (long long)lib_sum(-5, 65535, -100000, 4000000000u, -6000000000L, 1ull << 40, true, GREEN, 'a', -1));
    printf("%g\n", lib_mixed(1, .5, 2, 1.5, 3, 2.5, 4, 3.5, 5, 4.5, 6, 5.5, 7, 6.5, 8, 7.5, 9, 8.5, 10, 9.5));
}

int main(int argc, char **argv)
{
    int depth = 4, sum = 1, n = 6, answer = 42;
    double x = 0.25;
    pthread_t id;
    void *left;
    MPI_Init(&argc, &argv);
    values();
    errno = EXDEV;
    int got = lib_fails("/a path", &depth);
    printf("%d %d\n", got, errno == ENOTEMPTY);
    errno = 0;
    got = lib_fails("", NULL);
    printf("%d\n", got);
    printf("%d\n", lib_outer(3));
    printf("%d\n", lib_last(7));
    printf("%d %d\n", lib_apply(twice, 5, &sum), sum);
    printf("%s\n", lib_name());
    printf("%g\n", lib_solve("Left", "T", n, &x));
    printf("%g\n", lib_solve_("Left", "T", &n, &x, 4, 1));
    float _Complex trace = lib_trace_(&n, "V", 9) + LIB_TRACE(&n, "W", 7);
    printf("%g %g\n", (double)crealf(trace), (double)cimagf(trace));
    pthread_create(&id, NULL, thread, &answer);
    pthread_join(id, &left);
    printf("%d\n", left == &answer);
    fflush(stdout);
    if (strcmp(argv[argc - 1], "absent") == 0)
        return lib_absent(1);
    MPI_Finalize();
    return 5;
}
