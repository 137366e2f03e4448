/* What an answer depends on: trusted MODE. 0: nothing that is not known; 1: a value of the environment decides whether
 * there is a barrier; 2: what is called is not known; 3: what is not known decides nothing; 4: a function of a library
 * changes what decides; 5: what is not known would end the program. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static double numbers[1000], sums[1000];
static volatile long hidden;

__attribute__((noinline)) static void reduce(double *sum)
{
    MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

__attribute__((noinline)) static void wait_for_all(double *sum)
{
    (void)sum;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* 20 reductions: the compiler asks by a rotation whether a number can be divided by 10. */
static void relax(void)
{
    for (int turn = 0; turn < 200; turn++) {
        for (int i = 1; i < 999; i++)
            sums[i] = 0.5 * (numbers[i - 1] + numbers[i + 1]);
        if (turn % 10 == 0)
            reduce(&sums[turn]);
    }
}

static long not_known(void)
{
    hidden = (long)time(NULL);
    return hidden;
}

int main(int argc, char **argv)
{
    int mode = argc > 1 ? atoi(argv[1]) : 0;
    void (*volatile chosen)(double *) = reduce;
    double sum = 0;
    MPI_Init(&argc, &argv);
    relax();
    if (mode == 1 && not_known() % 3 == 1)
        MPI_Barrier(MPI_COMM_WORLD);
    if (mode == 2) {
        chosen = (void (*)(double *))((long)wait_for_all + not_known() % 2 * ((long)reduce - (long)wait_for_all));
        chosen(&sum);
    }
    if (mode == 3)
        for (int i = 0; i < 50; i++)
            sums[i] += not_known() % 7 > 3 ? 1 : numbers[i];
    if (mode == 4) {
        struct timespec now = {0, 0};
        timespec_get(&now, TIME_UTC);
        if (now.tv_sec > 0)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    if (mode == 5 && not_known() % 11 == 7)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
