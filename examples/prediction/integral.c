/* The integral of x sqrt(x) by trapezoids, by a master and its slaves: slave i gets a part that is smaller the larger i
 * is, as in table 4.1 of Calzeta and de Souza (2008). A single process computes all of it.
 *
 * usage: integral [UPPER [TRAPEZOIDS]] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FROM, TO, STEPS, N_PARTS };

static double function(double x)
{
    return sqrt(x) * x;
}

static double integrate(double from, double to, long steps)
{
    double width = (to - from) / (double)steps, sum = 0;
    for (long i = 0; i < steps; i++) {
        double x = from + (double)i * width;
        sum += (function(x) + function(x + width)) * width / 2;
    }
    return sum;
}

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void lead(int size, double upper, long steps)
{
    double from = 0, sum = 0, part;
    int shares = size * (size - 1) / 2;
    for (int slave = 1; slave < size; slave++) {
        double share = (double)(size - slave) / shares;
        double order[N_PARTS] = {from, from + upper * share, (double)steps * share};
        MPI_Send(order, N_PARTS, MPI_DOUBLE, slave, 1, MPI_COMM_WORLD);
        from = order[TO];
    }
    for (int slave = 1; slave < size; slave++) {
        MPI_Recv(&part, 1, MPI_DOUBLE, slave, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += part;
    }
    printf("integral %.6g\n", sum);
}

static void follow(int rank)
{
    double order[N_PARTS];
    MPI_Recv(order, N_PARTS, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double begin = processor_time(), sum = integrate(order[FROM], order[TO], (long)order[STEPS]);
    printf("rank %d computed %.6f s\n", rank, processor_time() - begin);
    MPI_Send(&sum, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    double upper = argc > 1 ? atof(argv[1]) : 400;
    long steps = argc > 2 ? atol(argv[2]) : 100000000;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1) {
        double begin = processor_time(), sum = integrate(0, upper, steps);
        printf("integral %.6g\nrank 0 computed %.6f s\n", sum, processor_time() - begin);
    } else if (rank == 0) {
        lead(size, upper, steps);
    } else {
        follow(rank);
    }
    MPI_Finalize();
    return 0;
}
