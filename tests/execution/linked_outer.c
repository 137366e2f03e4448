/* The library of linked.c that is loaded first. It calls the other one. */
#include "linked.h"
#include <stddef.h>

int nowhere(int number) __attribute__((weak));

int twin(void)
{
    return 23;
}

int overridden(void)
{
    return 12;
}

int outer_sum(int a, int b)
{
    return a + b;
}

int outer_chain(int n)
{
    return inner_square(n) + outer_sum(n, 1);
}

int outer_variable(void)
{
    return inner_variable;
}

int outer_call(int (*function)(int), int number)
{
    return function(number) + 1;
}

int outer_weak(void)
{
    return nowhere ? nowhere(3) : 29;
}

int outer_new(void)
{
    return inner_version();
}

int outer_tell(MPI_Comm communicator, int number)
{
    int rank, size;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    int told = number + 5 * rank;
    MPI_Bcast(&told, 1, MPI_INT, size - 1, communicator);
    return told;
}
