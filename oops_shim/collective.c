/* The collective methods of class Group. */
#include "internal.h"

/* Check the parameters that all collective methods have; *mpi_type becomes the MPI datatype of `type`. */
static int check(const OopsGroup *group, OopsType type, int root, bool may_be_all, MPI_Datatype *mpi_type)
{
    if (!group)
        return OOPS_ERR_OBJECT;
    if (!oops_type_find(type, mpi_type))
        return OOPS_ERR_TYPE;
    bool is_rank = root >= 0 && root < group->size;
    return is_rank || (may_be_all && root == OOPS_ALL) ? OOPS_SUCCESS : OOPS_ERR_RANGE;
}

/* Compute the offset of each member's part in an array that stores parts one after the other, without gaps. */
static const int *offsets_of(OopsGroup *group, const int *counts)
{
    int next = 0;
    for (int m = 0; m < group->size; m++) {
        group->offsets[m] = next;
        next += counts[m];
    }
    return group->offsets;
}

int oops_group_barrier(OopsGroup *group)
{
    HIERA_CALL("oops", "Group::barrier", NULL);
    return group ? MPI_Barrier(group->comm) : OOPS_ERR_OBJECT;
}

int oops_group_bcast(OopsGroup *group, void *data, int count, OopsType type, int root)
{
    HIERA_CALL("oops", "Group::bcast", oops_root_format(root), count, root);
    MPI_Datatype mpi_type;
    int error = check(group, type, root, false, &mpi_type);
    return error ? error : MPI_Bcast(data, count, mpi_type, root, group->comm);
}

static int gather_parts(OopsGroup *group, const void *own, int count, OopsType type, void *all, const int *counts,
                        const int *offsets, int root)
{
    MPI_Datatype mpi_type;
    int error = check(group, type, root, true, &mpi_type);
    if (error)
        return error;
    if (root == OOPS_ALL)
        return MPI_Allgatherv(own, count, mpi_type, all, counts, offsets, mpi_type, group->comm);
    return MPI_Gatherv(own, count, mpi_type, all, counts, offsets, mpi_type, root, group->comm);
}

static int gather_equal(OopsGroup *group, const void *own, int count, OopsType type, void *all, int root)
{
    MPI_Datatype mpi_type;
    int error = check(group, type, root, true, &mpi_type);
    if (error)
        return error;
    if (root == OOPS_ALL)
        return MPI_Allgather(own, count, mpi_type, all, count, mpi_type, group->comm);
    return MPI_Gather(own, count, mpi_type, all, count, mpi_type, root, group->comm);
}

/* Whether this member gets the collected array, and so uses `counts`. */
static bool is_at(const OopsGroup *group, int root)
{
    return group && (root == OOPS_ALL || root == group->rank);
}

int oops_group_gather(OopsGroup *group, const void *own, int count, OopsType type, void *all, const int *counts,
                      int root)
{
    HIERA_CALL("oops", "Group::gather", oops_root_format(root), count, root);
    if (!counts)
        return gather_equal(group, own, count, type, all, root);
    return gather_parts(group, own, count, type, all, counts, is_at(group, root) ? offsets_of(group, counts) : NULL,
                        root);
}

int oops_group_gatherv(OopsGroup *group, const void *own, int count, OopsType type, void *all, const int *counts,
                       const int *offsets, int root)
{
    HIERA_CALL("oops", "Group::gatherv", oops_root_format(root), count, root);
    if (is_at(group, root) && (!counts || !offsets))
        return OOPS_ERR_OBJECT;
    return gather_parts(group, own, count, type, all, counts, offsets, root);
}

static int scatter_parts(OopsGroup *group, const void *all, const int *counts, const int *offsets, OopsType type,
                         void *own, int count, int root)
{
    MPI_Datatype mpi_type;
    int error = check(group, type, root, false, &mpi_type);
    if (error)
        return error;
    return MPI_Scatterv(all, counts, offsets, mpi_type, own, count, mpi_type, root, group->comm);
}

static int scatter_equal(OopsGroup *group, const void *all, OopsType type, void *own, int count, int root)
{
    MPI_Datatype mpi_type;
    int error = check(group, type, root, false, &mpi_type);
    if (error)
        return error;
    return MPI_Scatter(all, count, mpi_type, own, count, mpi_type, root, group->comm);
}

int oops_group_scatter(OopsGroup *group, const void *all, const int *counts, OopsType type, void *own, int count,
                       int root)
{
    HIERA_CALL("oops", "Group::scatter", oops_root_format(root), count, root);
    if (!counts)
        return scatter_equal(group, all, type, own, count, root);
    return scatter_parts(group, all, counts, is_at(group, root) ? offsets_of(group, counts) : NULL, type, own, count,
                         root);
}

int oops_group_scatterv(OopsGroup *group, const void *all, const int *counts, const int *offsets, OopsType type,
                        void *own, int count, int root)
{
    HIERA_CALL("oops", "Group::scatterv", oops_root_format(root), count, root);
    if (is_at(group, root) && (!counts || !offsets))
        return OOPS_ERR_OBJECT;
    return scatter_parts(group, all, counts, offsets, type, own, count, root);
}
