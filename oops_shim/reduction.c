/* The reductions of class Group, among them max, min, sum, prod and scan. */
#include "internal.h"

static int find_both(const OopsGroup *group, OopsType type, OopsOp op, MPI_Datatype *mpi_type, MPI_Op *mpi_op)
{
    if (!group)
        return OOPS_ERR_OBJECT;
    return oops_type_find(type, mpi_type) && oops_op_find(op, mpi_op) ? OOPS_SUCCESS : OOPS_ERR_TYPE;
}

/* Combine `own` of all members in `result` of member `root`, or of all members if root is OOPS_ALL. */
static int combine(OopsGroup *group, const void *own, void *result, int count, OopsType type, OopsOp op, int root)
{
    MPI_Datatype mpi_type;
    MPI_Op mpi_op;
    int error = find_both(group, type, op, &mpi_type, &mpi_op);
    if (error)
        return error;
    if (root == OOPS_ALL)
        return MPI_Allreduce(own, result, count, mpi_type, mpi_op, group->comm);
    if (root < 0 || root >= group->size)
        return OOPS_ERR_RANGE;
    return MPI_Reduce(own, result, count, mpi_type, mpi_op, root, group->comm);
}

int oops_group_reduce(OopsGroup *group, const void *own, void *result, int count, OopsType type, OopsOp op, int root)
{
    HIERA_CALL("oops", "Group::reduce", oops_root_format(root), count, root);
    return root == OOPS_ALL ? OOPS_ERR_RANGE : combine(group, own, result, count, type, op, root);
}

int oops_group_allreduce(OopsGroup *group, const void *own, void *result, int count, OopsType type, OopsOp op)
{
    HIERA_CALL("oops", "Group::allreduce", "count=%d", count);
    return combine(group, own, result, count, type, op, OOPS_ALL);
}

int oops_group_max(OopsGroup *group, const void *own, void *result, int count, OopsType type, int root)
{
    HIERA_CALL("oops", "Group::max", oops_root_format(root), count, root);
    return combine(group, own, result, count, type, OOPS_MAX, root);
}

int oops_group_min(OopsGroup *group, const void *own, void *result, int count, OopsType type, int root)
{
    HIERA_CALL("oops", "Group::min", oops_root_format(root), count, root);
    return combine(group, own, result, count, type, OOPS_MIN, root);
}

int oops_group_sum(OopsGroup *group, const void *own, void *result, int count, OopsType type, int root)
{
    HIERA_CALL("oops", "Group::sum", oops_root_format(root), count, root);
    return combine(group, own, result, count, type, OOPS_SUM, root);
}

int oops_group_prod(OopsGroup *group, const void *own, void *result, int count, OopsType type, int root)
{
    HIERA_CALL("oops", "Group::prod", oops_root_format(root), count, root);
    return combine(group, own, result, count, type, OOPS_PROD, root);
}

int oops_group_scan(OopsGroup *group, const void *own, void *result, int count, OopsType type, OopsOp op)
{
    HIERA_CALL("oops", "Group::scan", "count=%d", count);
    MPI_Datatype mpi_type;
    MPI_Op mpi_op;
    int error = find_both(group, type, op, &mpi_type, &mpi_op);
    return error ? error : MPI_Scan(own, result, count, mpi_type, mpi_op, group->comm);
}
