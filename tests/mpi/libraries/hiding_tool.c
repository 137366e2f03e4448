/* Another PMPI tool, that passes the end of MPI on to nobody; with HIDES_INIT its start neither. */
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
