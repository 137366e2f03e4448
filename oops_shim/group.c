/* Group: hides the communicator. Each method makes one MPI call. */
#include "internal.h"

#include <stdlib.h>

/* Make a group for a communicator, which the group owns, and frees if it cannot be made. */
static int make_group(MPI_Comm comm, OopsGroup **made)
{
    int error = OOPS_ERR_MEMORY;
    OopsGroup *group = malloc(sizeof *group);
    if (!group)
        goto out;
    *group = (OopsGroup){.comm = comm};
    error = MPI_Comm_rank(comm, &group->rank);
    if (!error)
        error = MPI_Comm_size(comm, &group->size);
    if (error)
        goto out;
    group->offsets = malloc((size_t)group->size * sizeof *group->offsets);
    if (!group->offsets) {
        error = OOPS_ERR_MEMORY;
        goto out;
    }
    *made = group;
    return OOPS_SUCCESS;
out:
    free(group);
    MPI_Comm_free(&comm);
    return error;
}

/* Make a group for the communicator; MPI_COMM_NULL makes no group and leaves `made` as it is. */
static int make_group_if_any(MPI_Comm comm, OopsGroup **made)
{
    return comm == MPI_COMM_NULL ? OOPS_SUCCESS : make_group(comm, made);
}

static int make_duplicate(MPI_Comm comm, OopsGroup **made)
{
    MPI_Comm own;
    if (!made)
        return OOPS_ERR_OBJECT;
    *made = NULL;
    int error = MPI_Comm_dup(comm, &own);
    return error ? error : make_group(own, made);
}

int oops_group_world(OopsGroup **group)
{
    HIERA_CALL("oops", "Group::Group", NULL);
    return make_duplicate(MPI_COMM_WORLD, group);
}

int oops_group_new(MPI_Comm comm, OopsGroup **group)
{
    HIERA_CALL("oops", "Group::Group", NULL);
    return make_duplicate(comm, group);
}

int oops_group_free(OopsGroup *group)
{
    HIERA_CALL("oops", "Group::free", NULL);
    if (!group)
        return OOPS_SUCCESS;
    int error = MPI_Comm_free(&group->comm);
    free(group->offsets);
    free(group);
    return error;
}

int oops_group_rank(const OopsGroup *group)
{
    return group ? group->rank : OOPS_ERR_OBJECT;
}

int oops_group_size(const OopsGroup *group)
{
    return group ? group->size : OOPS_ERR_OBJECT;
}

MPI_Comm oops_group_comm(const OopsGroup *group)
{
    return group ? group->comm : MPI_COMM_NULL;
}

int oops_group_split(OopsGroup *group, int color, int key, OopsGroup **part)
{
    HIERA_CALL("oops", "Group::split", "color=%d key=%d", color, key);
    MPI_Comm comm;
    if (!group || !part)
        return OOPS_ERR_OBJECT;
    *part = NULL;
    int error = MPI_Comm_split(group->comm, color == OOPS_NOBODY ? MPI_UNDEFINED : color, key, &comm);
    return error ? error : make_group_if_any(comm, part);
}

int oops_group_sub_group(OopsGroup *group, int count, const int *ranks, OopsGroup **part)
{
    HIERA_CALL("oops", "Group::subGroup", "count=%d", count);
    MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    if (!group || !part || (!ranks && count > 0))
        return OOPS_ERR_OBJECT;
    *part = NULL;
    int error = MPI_Comm_group(group->comm, &all);
    if (!error)
        error = MPI_Group_incl(all, count, ranks, &some);
    if (!error)
        error = MPI_Comm_create(group->comm, some, &comm);
    if (some != MPI_GROUP_NULL && some != MPI_GROUP_EMPTY)
        MPI_Group_free(&some);
    if (all != MPI_GROUP_NULL)
        MPI_Group_free(&all);
    return error ? error : make_group_if_any(comm, part);
}

int oops_group_is_in_group(OopsGroup *group, int process)
{
    HIERA_CALL("oops", "Group::isInGroup", "process=%d", process);
    MPI_Group own = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    int processes, rank = MPI_UNDEFINED;
    if (!group)
        return OOPS_ERR_OBJECT;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (process < 0 || process >= processes)
        return OOPS_ERR_RANGE;
    bool good = MPI_Comm_group(group->comm, &own) == MPI_SUCCESS &&
                MPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS &&
                MPI_Group_translate_ranks(world, 1, &process, own, &rank) == MPI_SUCCESS;
    if (world != MPI_GROUP_NULL)
        MPI_Group_free(&world);
    if (own != MPI_GROUP_NULL)
        MPI_Group_free(&own);
    return good ? rank != MPI_UNDEFINED : OOPS_ERR_OBJECT;
}

int oops_message_send(OopsGroup *group, const void *data, int count, OopsType type, int rank, int tag)
{
    MPI_Datatype mpi_type;
    if (!group)
        return OOPS_ERR_OBJECT;
    if (!oops_type_find(type, &mpi_type))
        return OOPS_ERR_TYPE;
    if (rank < 0 || rank >= group->size)
        return OOPS_ERR_RANGE;
    return MPI_Send(data, count, mpi_type, rank, tag, group->comm);
}

int oops_message_recv(OopsGroup *group, void *data, int count, OopsType type, int rank, int tag)
{
    MPI_Datatype mpi_type;
    if (!group)
        return OOPS_ERR_OBJECT;
    if (!oops_type_find(type, &mpi_type))
        return OOPS_ERR_TYPE;
    if (rank < 0 || rank >= group->size)
        return OOPS_ERR_RANGE;
    return MPI_Recv(data, count, mpi_type, rank, tag, group->comm, MPI_STATUS_IGNORE);
}

static bool is_tag(int tag)
{
    return tag >= 0 && tag <= OOPS_TAG_MAX;
}

int oops_group_send(OopsGroup *group, const void *data, int count, OopsType type, int rank, int tag)
{
    HIERA_CALL("oops", "Group::send", "dest=%d tag=%d count=%d", rank, tag, count);
    return is_tag(tag) ? oops_message_send(group, data, count, type, rank, tag) : OOPS_ERR_RANGE;
}

int oops_group_recv(OopsGroup *group, void *data, int count, OopsType type, int rank, int tag)
{
    HIERA_CALL("oops", "Group::recv", "rem=%d tag=%d count=%d", rank, tag, count);
    return is_tag(tag) ? oops_message_recv(group, data, count, type, rank, tag) : OOPS_ERR_RANGE;
}
