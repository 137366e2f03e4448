/* Another PMPI tool. It calls PMPI_Finalize itself, so Hiera does not see the call; with HIDES_INIT also PMPI_Init. */
#include <mpi.h>

#ifdef HIDES_INIT
int MPI_Init(int *argc, char ***argv)
{
    return PMPI_Init(argc, argv);
}
#endif

int MPI_Finalize(void)
{
    return PMPI_Finalize();
}
