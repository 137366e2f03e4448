/* A program with functions and data in two shared libraries. Prints for each what a loop was repeated by, and repeats
 * it. */
#include "linked.h"
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, n;

__asm__(".symver inner_version_old, inner_version@FIRST");
int inner_version_old(void);

int overridden(void)
{
    return 11; /* instead of that of the libraries */
}

static int doubled(int number)
{
    return 2 * number;
}

#define SPIN(name, times)                                                                                              \
    do {                                                                                                               \
        int repeated = (times);                                                                                        \
        printf("%d " #name " %d\n", rank, repeated);                                                                   \
        spin_##name(repeated);                                                                                         \
    } while (0)

#define DEFINE(name)                                                                                                   \
    static volatile int last_##name;                                                                                   \
    static void __attribute__((noinline)) spin_##name(int times)                                                       \
    {                                                                                                                  \
        for (int i = 0; i < times; i++)                                                                                \
            last_##name = i;                                                                                           \
    }
DEFINE(call)
DEFINE(chain)
DEFINE(twin)
DEFINE(overridden)
DEFINE(variable)
DEFINE(changed)
DEFINE(constants)
DEFINE(texts)
DEFINE(middle)
DEFINE(table)
DEFINE(callback)
DEFINE(weak)
DEFINE(choice)
DEFINE(old)
DEFINE(new)
DEFINE(told)
DEFINE(pointer)

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    n = argc > 1 ? atoi(argv[1]) : 50;
    if (argc > 2)
        dlopen(argv[2], RTLD_LAZY);
    SPIN(call, outer_sum(n, rank));
    SPIN(chain, outer_chain(n));
    SPIN(twin, inner_twin());
    SPIN(overridden, inner_overridden());
    SPIN(variable, inner_variable);
    inner_variable += 7;
    SPIN(changed, outer_variable());
    SPIN(constants, inner_constant(n % 5));
    SPIN(texts, inner_text(n % 3));
    SPIN(middle, *inner_middle);
    SPIN(table, inner_table(n % 3, n));
    SPIN(callback, outer_call(doubled, n));
    SPIN(weak, outer_weak());
    SPIN(choice, inner_choice(n % 7));
    SPIN(old, inner_version_old());
    SPIN(new, outer_new());
    SPIN(told, outer_tell(MPI_COMM_WORLD, n));
    int (*pointer)(int, int) = n > 0 ? outer_sum : NULL;
    SPIN(pointer, pointer(3, n));
    MPI_Finalize();
    return 0;
}
