/* Class Topology: the methods that its group has too, and messages to neighbours. */
#include "topology.h"

int oops_topology_row(OopsTopology *topology, OopsTopology **row)
{
    HIERA_CALL("oops", OOPS_NAME(topology, row), NULL);
    if (!topology || !row)
        return OOPS_ERR_OBJECT;
    *row = topology->row;
    return *row ? OOPS_SUCCESS : OOPS_ERR_DIRECTION;
}

int oops_topology_col(OopsTopology *topology, OopsTopology **col)
{
    HIERA_CALL("oops", OOPS_NAME(topology, col), NULL);
    if (!topology || !col)
        return OOPS_ERR_OBJECT;
    *col = topology->col;
    return *col ? OOPS_SUCCESS : OOPS_ERR_DIRECTION;
}

/* Return the name of the method that sends in a direction (`to`), or receives; unused without Hiera. */
static inline const char *direction_name(const OopsTopology *topology, OopsDirection direction, bool to)
{
    if (!topology || (unsigned)direction >= OOPS_DIRECTIONS)
        return to ? "Topology::to" : "Topology::from";
    return to ? topology->class->to[direction] : topology->class->from[direction];
}

int oops_topology_to(OopsTopology *topology, OopsDirection direction, const void *data, int count, OopsType type)
{
    HIERA_CALL("oops", direction_name(topology, direction, true), "count=%d", count);
    int other = oops_topology_neighbour(topology, direction);
    if (other < 0)
        return other == OOPS_NOBODY ? OOPS_SUCCESS : other;
    return oops_message_send(topology->group, data, count, type, other, OOPS_TAG_NEIGHBOUR + (int)direction);
}

int oops_topology_from(OopsTopology *topology, OopsDirection direction, void *data, int count, OopsType type)
{
    HIERA_CALL("oops", direction_name(topology, direction, false), "count=%d", count);
    int other = oops_topology_neighbour(topology, direction);
    if (other < 0)
        return other == OOPS_NOBODY ? OOPS_SUCCESS : other;
    return oops_message_recv(topology->group, data, count, type, other,
                             OOPS_TAG_NEIGHBOUR + (int)oops_direction_back(direction));
}

int oops_topology_barrier(OopsTopology *topology)
{
    HIERA_CALL("oops", OOPS_NAME(topology, barrier), NULL);
    return topology ? oops_group_barrier(topology->group) : OOPS_ERR_OBJECT;
}

int oops_topology_bcast(OopsTopology *topology, void *data, int count, OopsType type, int root)
{
    HIERA_CALL("oops", OOPS_NAME(topology, bcast), oops_root_format(root), count, root);
    return topology ? oops_group_bcast(topology->group, data, count, type, root) : OOPS_ERR_OBJECT;
}

int oops_topology_gather(OopsTopology *topology, const void *own, int count, OopsType type, void *all,
                         const int *counts, int root)
{
    HIERA_CALL("oops", OOPS_NAME(topology, gather), oops_root_format(root), count, root);
    return topology ? oops_group_gather(topology->group, own, count, type, all, counts, root) : OOPS_ERR_OBJECT;
}

int oops_topology_gatherv(OopsTopology *topology, const void *own, int count, OopsType type, void *all,
                          const int *counts, const int *offsets, int root)
{
    HIERA_CALL("oops", OOPS_NAME(topology, gatherv), oops_root_format(root), count, root);
    return topology ? oops_group_gatherv(topology->group, own, count, type, all, counts, offsets, root)
                    : OOPS_ERR_OBJECT;
}

int oops_topology_scatter(OopsTopology *topology, const void *all, const int *counts, OopsType type, void *own,
                          int count, int root)
{
    HIERA_CALL("oops", OOPS_NAME(topology, scatter), oops_root_format(root), count, root);
    return topology ? oops_group_scatter(topology->group, all, counts, type, own, count, root) : OOPS_ERR_OBJECT;
}

int oops_topology_scatterv(OopsTopology *topology, const void *all, const int *counts, const int *offsets,
                           OopsType type, void *own, int count, int root)
{
    HIERA_CALL("oops", OOPS_NAME(topology, scatterv), oops_root_format(root), count, root);
    return topology ? oops_group_scatterv(topology->group, all, counts, offsets, type, own, count, root)
                    : OOPS_ERR_OBJECT;
}

int oops_topology_reduce(OopsTopology *topology, const void *own, void *result, int count, OopsType type, OopsOp op,
                         int root)
{
    HIERA_CALL("oops", OOPS_NAME(topology, reduce), oops_root_format(root), count, root);
    return topology ? oops_group_reduce(topology->group, own, result, count, type, op, root) : OOPS_ERR_OBJECT;
}

int oops_topology_allreduce(OopsTopology *topology, const void *own, void *result, int count, OopsType type, OopsOp op)
{
    HIERA_CALL("oops", OOPS_NAME(topology, allreduce), "count=%d", count);
    return topology ? oops_group_allreduce(topology->group, own, result, count, type, op) : OOPS_ERR_OBJECT;
}

int oops_topology_max(OopsTopology *topology, const void *own, void *result, int count, OopsType type, int root)
{
    HIERA_CALL("oops", OOPS_NAME(topology, max), oops_root_format(root), count, root);
    return topology ? oops_group_max(topology->group, own, result, count, type, root) : OOPS_ERR_OBJECT;
}

int oops_topology_min(OopsTopology *topology, const void *own, void *result, int count, OopsType type, int root)
{
    HIERA_CALL("oops", OOPS_NAME(topology, min), oops_root_format(root), count, root);
    return topology ? oops_group_min(topology->group, own, result, count, type, root) : OOPS_ERR_OBJECT;
}

int oops_topology_sum(OopsTopology *topology, const void *own, void *result, int count, OopsType type, int root)
{
    HIERA_CALL("oops", OOPS_NAME(topology, sum), oops_root_format(root), count, root);
    return topology ? oops_group_sum(topology->group, own, result, count, type, root) : OOPS_ERR_OBJECT;
}

int oops_topology_prod(OopsTopology *topology, const void *own, void *result, int count, OopsType type, int root)
{
    HIERA_CALL("oops", OOPS_NAME(topology, prod), oops_root_format(root), count, root);
    return topology ? oops_group_prod(topology->group, own, result, count, type, root) : OOPS_ERR_OBJECT;
}

int oops_topology_scan(OopsTopology *topology, const void *own, void *result, int count, OopsType type, OopsOp op)
{
    HIERA_CALL("oops", OOPS_NAME(topology, scan), "count=%d", count);
    return topology ? oops_group_scan(topology->group, own, result, count, type, op) : OOPS_ERR_OBJECT;
}

int oops_topology_send(OopsTopology *topology, const void *data, int count, OopsType type, int rank, int tag)
{
    HIERA_CALL("oops", OOPS_NAME(topology, send), "dest=%d tag=%d count=%d", rank, tag, count);
    return topology ? oops_group_send(topology->group, data, count, type, rank, tag) : OOPS_ERR_OBJECT;
}

int oops_topology_recv(OopsTopology *topology, void *data, int count, OopsType type, int rank, int tag)
{
    HIERA_CALL("oops", OOPS_NAME(topology, recv), "rem=%d tag=%d count=%d", rank, tag, count);
    return topology ? oops_group_recv(topology->group, data, count, type, rank, tag) : OOPS_ERR_OBJECT;
}
