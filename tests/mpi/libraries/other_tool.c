/* Another PMPI tool with few functions: it counts the barriers that it sees. */
#include <mpi.h>
#include <stdio.h>

static int n_barriers;

int MPI_Barrier(MPI_Comm comm)
{
    n_barriers++;
    return PMPI_Barrier(comm);
}

__attribute__((destructor)) static void tell(void)
{
    printf("tool: %d\n", n_barriers);
}
