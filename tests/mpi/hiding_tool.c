/* Another PMPI tool, that passes neither the start of MPI nor its end on to the next one. */
#include <mpi.h>

int MPI_Init(int *argc, char ***argv)
{
    return PMPI_Init(argc, argv);
}

int MPI_Finalize(void)
{
    return PMPI_Finalize();
}
