/* Regions of OpenMP: what threads compute together decides how often ranks meet, and does not depend on their number.
 */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

enum { MANY = 100000 };
static long numbers[64];

__attribute__((noinline)) static void work(int times)
{
    for (volatile int i = 0; i < times; i++)
        ;
}

static void meet(long times)
{
    for (long i = 0; i < times; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    long sum = 0, turns = 0, parts = 0;
    MPI_Init(&argc, &argv);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 10; i++)
        sum += i;
    meet(sum); /* 45 */
#pragma omp parallel for schedule(dynamic, 3)
    for (int i = 0; i < 64; i++)
        numbers[i] = i % 2;
    for (int i = 0; i < 64; i++)
        turns += numbers[i];
    meet(turns); /* 32 */
#pragma omp parallel
    {
#pragma omp single
        work(10);
#pragma omp for schedule(guided) reduction(+ : parts)
        for (int i = 3; i < 9; i++)
            parts += 1;
#pragma omp sections reduction(+ : parts)
        {
            parts += 2;
#pragma omp section
            parts += 3;
        }
    }
    meet(parts); /* 11 */
#pragma omp parallel for
    for (int i = 0; i < 8; i++)
        work(MANY);
    work(argc > 1 ? atoi(argv[1]) : 0);
    MPI_Finalize();
    return omp_get_max_threads() < 1;
}
