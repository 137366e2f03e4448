/* An MPI for one process, only with what libhiera needs to record barriers: for a program that is linked statically
 * with everything, libc too. No distribution has an MPI that can be linked in this way. */
#include <mpi.h>
#include <stdint.h>
#include <string.h>

static int initialized, finalized;

int PMPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    initialized = 1;
    return MPI_SUCCESS;
}

int PMPI_Initialized(int *flag)
{
    *flag = initialized;
    return MPI_SUCCESS;
}

int PMPI_Finalize(void)
{
    finalized = 1;
    return MPI_SUCCESS;
}

int PMPI_Finalized(int *flag)
{
    *flag = finalized;
    return MPI_SUCCESS;
}

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    (void)comm;
    *rank = 0;
    return MPI_SUCCESS;
}

int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    (void)comm;
    *size = 1;
    return MPI_SUCCESS;
}

int PMPI_Barrier(MPI_Comm comm)
{
    (void)comm;
    return MPI_SUCCESS;
}

int PMPI_Comm_get_parent(MPI_Comm *parent)
{
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* With one process, the sum is its own value. */
int PMPI_Allreduce(const void *own, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    (void)op;
    (void)comm;
    if (own != MPI_IN_PLACE)
        memcpy(all, own, (size_t)count * (type == MPI_INT ? sizeof(int) : sizeof(int64_t)));
    return MPI_SUCCESS;
}

int PMPI_Type_size_x(MPI_Datatype type, MPI_Count *size)
{
    (void)type;
    *size = 4;
    return MPI_SUCCESS;
}

int PMPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent)
{
    *lower = 0;
    return PMPI_Type_size_x(type, extent);
}

int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    (void)comm;
    *group = MPI_GROUP_EMPTY;
    return MPI_SUCCESS;
}

int PMPI_Group_size(MPI_Group group, int *size)
{
    (void)group;
    *size = 1;
    return MPI_SUCCESS;
}

int PMPI_Group_translate_ranks(MPI_Group one, int n, const int *ranks, MPI_Group two, int *translated)
{
    (void)one;
    (void)two;
    memcpy(translated, ranks, (size_t)n * sizeof *ranks);
    return MPI_SUCCESS;
}

int PMPI_Group_free(MPI_Group *group)
{
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

int PMPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
    (void)comm;
    *flag = 0;
    return MPI_SUCCESS;
}

int PMPI_Topo_test(MPI_Comm comm, int *topology)
{
    (void)comm;
    *topology = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* Attributes are not supported. */
int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *release, int *keyval, void *state)
{
    (void)copy;
    (void)release;
    (void)keyval;
    (void)state;
    return MPI_ERR_OTHER;
}
