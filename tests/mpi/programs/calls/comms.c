/* Communicators of all kinds, with id, members and names on all ranks; groups; topologies. Any number of ranks. */
#include "expect.h"
#include "unseen.h"

#define W "comm=MPI_COMM_WORLD"

static int rank, size, last;

/* Calls MPI_Comm_free through the collector, which must forget the name of the handle. */
static void free_comm(MPI_Comm *comm)
{
    EXPECT("comm_free", "comm=*");
    MPI_Comm_free(comm);
}

static void free_group(MPI_Group *group)
{
    EXPECT("group_free", "group=*");
    MPI_Group_free(group);
}

static void duplicates(void)
{
    MPI_Comm first, second, third;
    MPI_Request request;
    EXPECT("comm_dup", W " newcomm=P0_comm1");
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    EXPECT("comm_set_name", "comm=P0_comm1 comm_name='<rows> & \"columns\"'");
    MPI_Comm_set_name(first, "<rows> & \"columns\"");
    EXPECT("comm_dup_with_info", "comm=P0_comm1 info=MPI_INFO_NULL newcomm=P0_comm1.1");
    MPI_Comm_dup_with_info(first, MPI_INFO_NULL, &second);
    EXPECT("comm_idup", "comm=P0_comm1 newcomm=P0_comm1.2 request=%d", ++expect_request);
    MPI_Comm_idup(first, &third, &request);
    EXPECT("wait", "requests=%d sources=- tags=- sizes=-", expect_request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT("barrier", "comm=P0_comm1.2");
    MPI_Barrier(third);
    EXPECT("comm_free", "comm=P0_comm1");
    MPI_Comm_free(&first);
    EXPECT("comm_dup", W " newcomm=P0_comm2"); /* MPI may use the freed handle again */
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    EXPECT("barrier", "comm=P0_comm2");
    MPI_Barrier(first);
    EXPECT("barrier", "comm=P0_comm1.1");
    MPI_Barrier(second);
    EXPECT("comm_disconnect", "comm=P0_comm2");
    MPI_Comm_disconnect(&first);
    EXPECT("comm_free", "comm=P0_comm1.1");
    MPI_Comm_free(&second);
    EXPECT("comm_free", "comm=P0_comm1.2");
    MPI_Comm_free(&third);
}

/* The third constructor on the world. Each color has another leader. Calls that return MPI_COMM_NULL count too. */
static void splits(void)
{
    MPI_Comm half, none, own;
    const char *name = rank % 2 == 0 ? "P0_comm3" : "P1_comm3";
    EXPECT("comm_split", W " color=%d key=%d newcomm=%s", rank % 2, rank, name);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    EXPECT("allreduce", "count=1 type=MPI_INT op=MPI_SUM comm=%s bytes=4 rbytes=4", name);
    MPI_Allreduce(&rank, &(int){0}, 1, MPI_INT, MPI_SUM, half);
    EXPECT("comm_split", W " color=MPI_UNDEFINED key=0 newcomm=MPI_COMM_NULL");
    MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &none);
    /* Keys in reverse order: the last rank leads. */
    EXPECT("comm_split", W " color=0 key=%d newcomm=P%d_comm5", -rank, last);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &own);
    EXPECT("comm_free", "comm=P%d_comm5", last);
    MPI_Comm_free(&own);
    EXPECT("comm_split_type", W " split_type=%d key=0 info=MPI_INFO_NULL newcomm=P0_comm6", MPI_COMM_TYPE_SHARED);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &own);
    free_comm(&own);
    EXPECT("comm_free", "comm=%s", name);
    MPI_Comm_free(&half);
}

static void groups(void)
{
    MPI_Group world, one, rest, both, none;
    int n, r, result, ranges[1][3] = {{0, 0, 1}};
#define G(n) "P%d_group" #n
    EXPECT("comm_group", W " group=" G(1), rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    EXPECT("group_size", "group=" G(1) " size=%d", rank, size);
    MPI_Group_size(world, &n);
    EXPECT("group_rank", "group=" G(1) " rank=%d", rank, rank);
    MPI_Group_rank(world, &r);
    EXPECT("group_incl", "group=" G(1) " n=1 ranks=0 newgroup=*", rank);
    MPI_Group_incl(world, 1, (int[]){0}, &one);
    EXPECT("group_excl", "group=" G(1) " n=1 ranks=0 newgroup=*", rank);
    MPI_Group_excl(world, 1, (int[]){0}, &rest);
    EXPECT("group_union", "group1=* group2=* newgroup=*");
    MPI_Group_union(one, rest, &both);
    EXPECT("group_compare", "group1=" G(1) " group2=* result=%d", rank, MPI_IDENT);
    MPI_Group_compare(world, both, &result);
    free_group(&both);
    EXPECT("group_intersection", "group1=* group2=* newgroup=MPI_GROUP_EMPTY");
    MPI_Group_intersection(one, rest, &none);
    EXPECT("group_difference", "group1=" G(1) " group2=* newgroup=*", rank);
    MPI_Group_difference(world, one, &both);
    free_group(&both);
    EXPECT("group_range_incl", "group=" G(1) " n=1 ranges='0 0 1' newgroup=*", rank);
    MPI_Group_range_incl(world, 1, ranges, &both);
    EXPECT("group_translate_ranks", "group1=" G(1) " n=1 ranks1=%d group2=* ranks2=%s", rank, last, last ? "MPI_UNDEFINED" : "0");
    MPI_Group_translate_ranks(world, 1, &last, both, &r);
    free_group(&both);
    EXPECT("group_range_excl", "group=" G(1) " n=1 ranges='0 0 1' newgroup=*", rank);
    MPI_Group_range_excl(world, 1, ranges, &both);
    free_group(&one);
    if (rest != MPI_GROUP_EMPTY)
        free_group(&rest);
    EXPECT("group_free", "group=" G(1), rank);
    MPI_Group_free(&world);
}

/* Created by one group only, and by all ranks. */
static void from_groups(void)
{
    MPI_Group world, group;
    MPI_Comm comm;
    EXPECT("comm_group", W " group=*");
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    EXPECT("group_incl", "group=* n=1 ranks=0 newgroup=*");
    MPI_Group_incl(world, 1, (int[]){0}, &group);
    EXPECT("comm_create", W " group=* newcomm=%s", rank ? "MPI_COMM_NULL" : "P0_comm7");
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    if (rank == 0) {
        free_comm(&comm);
        EXPECT("comm_create_group", W " group=* tag=3 newcomm=*");
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, &comm);
        EXPECT("comm_free", "comm=*");
        MPI_Comm_free(&comm);
    }
    free_group(&world);
    free_group(&group);
}

/* Intercommunicator between rank 0 and all others. */
static void between_groups(void)
{
    MPI_Comm half, inter, merged;
    int flag, n;
    if (size < 2)
        return;
    EXPECT("comm_split", W " color=%d key=0 newcomm=%s", rank > 0, rank ? "P1_comm8" : "P0_comm8");
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &half);
    EXPECT("intercomm_create", "local_comm=%s local_leader=0", rank ? "P1_comm8" : "P0_comm8");
    ALSO("peer_comm=MPI_COMM_WORLD remote_leader=%d tag=4 newcomm=*", rank ? 0 : 1);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank ? 0 : 1, 4, &inter);
    EXPECT("comm_test_inter", "comm=* flag=1");
    MPI_Comm_test_inter(inter, &flag);
    EXPECT("comm_remote_size", "comm=* size=%d", rank ? 1 : last);
    MPI_Comm_remote_size(inter, &n);
    EXPECT("broadcast", "count=2 type=MPI_INT root=%s comm=* bytes=%d rbytes=%d", rank ? "0" : "MPI_ROOT", rank ? 0 : 8, rank ? 8 : 0);
    MPI_Bcast(&(int[]){1, 2}, 2, MPI_INT, rank ? 0 : MPI_ROOT, inter);
    EXPECT("intercomm_merge", "comm=* high=%d newcomm=*", rank > 0);
    MPI_Intercomm_merge(inter, rank > 0, &merged);
    EXPECT("comm_dup", "comm=* newcomm=*");
    MPI_Comm_dup(inter, &half);
    EXPECT("comm_compare", "comm1=* comm2=MPI_COMM_WORLD result=%d", MPI_CONGRUENT);
    MPI_Comm_compare(merged, MPI_COMM_WORLD, &flag);
}

static void grids(void)
{
    MPI_Comm grid, row;
    int dims[2] = {0, 0}, periods[2] = {1, 0}, coords[2], n, source, dest;
    EXPECT("dims_create", "nnodes=%d ndims=2 dims='%d %d'", size, size < 4 ? size : 2, size / 4 + 1);
    MPI_Dims_create(size, 2, dims);
    EXPECT("cart_create", W " ndims=2 dims='%d %d' periods='1 0' reorder=0 newcomm=*", dims[0], dims[1]);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    EXPECT("topo_test", "comm=* topology=%d", MPI_CART);
    MPI_Topo_test(grid, &n);
    EXPECT("cartdim_get", "comm=* ndims=2");
    MPI_Cartdim_get(grid, &n);
    EXPECT("cart_get", "comm=* maxdims=2 dims='%d %d' periods='1 0' coords='%d %d'", dims[0], dims[1], rank / dims[1], rank % dims[1]);
    MPI_Cart_get(grid, 2, dims, periods, coords);
    EXPECT("cart_coords", "comm=* rank=%d maxdims=2 coords='%d %d'", rank, rank / dims[1], rank % dims[1]);
    MPI_Cart_coords(grid, rank, 2, coords);
    EXPECT("cart_rank", "comm=* coords='%d %d' rank=%d", rank / dims[1], rank % dims[1], rank);
    MPI_Cart_rank(grid, coords, &n);
    int left = rank % dims[1] > 0 ? rank - 1 : MPI_PROC_NULL, right = rank % dims[1] < dims[1] - 1 ? rank + 1 : MPI_PROC_NULL;
    EXPECT("cart_shift", "comm=* direction=1 disp=1 rank_source=%s", left >= 0 ? expect_range(left, left) : "MPI_PROC_NULL");
    ALSO("rank_dest=%s", right >= 0 ? expect_range(right, right) : "MPI_PROC_NULL");
    MPI_Cart_shift(grid, 1, 1, &source, &dest);
    EXPECT("cart_map", W " ndims=2 dims='%d %d' periods='1 0' newrank=*", dims[0], dims[1]);
    MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &n);
    EXPECT("cart_sub", "comm=* remain_dims='0 1' newcomm=*");
    MPI_Cart_sub(grid, (int[]){0, 1}, &row);
    EXPECT("barrier", "comm=*");
    MPI_Barrier(row);
}

static void graphs(void)
{
    MPI_Comm graph;
    int n, m, index[4], edges[4];
    const char *ends = size == 1 ? "1" : size == 2 ? "1 2" : "1 2 3 4", *nexts = size == 1 ? "0" : size == 2 ? "1 0" : "1 2 3 0";
    for (int i = 0; i < size; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    EXPECT("graph_create", W " nnodes=%d index='%s' edges='%s' reorder=0 newcomm=*", size, ends, nexts);
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
    EXPECT("graphdims_get", "comm=* nnodes=%d nedges=%d", size, size);
    MPI_Graphdims_get(graph, &n, &m);
    EXPECT("graph_neighbors_count", "comm=* rank=%d nneighbors=1", rank);
    MPI_Graph_neighbors_count(graph, rank, &n);
    EXPECT("graph_neighbors", "comm=* rank=%d maxneighbors=1 neighbors=%d", rank, (rank + 1) % size);
    MPI_Graph_neighbors(graph, rank, 1, &n);
    EXPECT("graph_get", "comm=* maxindex=%d maxedges=%d index='%s' edges='%s'", size, size, ends, nexts);
    MPI_Graph_get(graph, size, size, index, edges);
    EXPECT("graph_map", W " nnodes=%d index='%s' edges='%s' newrank=*", size, ends, nexts);
    MPI_Graph_map(MPI_COMM_WORLD, size, index, edges, &n);
}

static void distributed_graphs(void)
{
    MPI_Comm graph, other;
    int next = (rank + 1) % size, previous = (rank + last) % size, in, out, weighted, weight = 5, weight_out;
    EXPECT("dist_graph_create_adjacent", W " indegree=1 neighbors_in=%d weights_in=5 outdegree=1", previous);
    ALSO("neighbors_out=%d weights_out=5 info=MPI_INFO_NULL reorder=0 newcomm=*", next);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, &weight, 1, &next, &weight, MPI_INFO_NULL, 0, &graph);
    EXPECT("dist_graph_neighbors_count", "comm=* indegree=1 outdegree=1 weighted=1");
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    EXPECT("dist_graph_neighbors", "comm=* maxindegree=1 neighbors_in=%d weights_in=5 maxoutdegree=1", previous);
    ALSO("neighbors_out=%d weights_out=5", next);
    MPI_Dist_graph_neighbors(graph, 1, &in, &weight, 1, &out, &weight_out);
    EXPECT("dist_graph_create", W " n=1 nodes=%d degrees=1 destinations=%d info=MPI_INFO_NULL reorder=0 newcomm=*", rank, next);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, (int[]){1}, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &other);
    EXPECT("dist_graph_create", W " n=1 nodes=%d degrees=2 destinations='%d %d' weights='3 4' info=MPI_INFO_NULL", rank, next, previous);
    ALSO("reorder=0 newcomm=*");
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, (int[]){2}, (int[]){next, previous}, (int[]){3, 4}, MPI_INFO_NULL, 0, &other);
    EXPECT("dist_graph_create_adjacent", W " indegree=0 neighbors_in='' outdegree=0 neighbors_out='' info=MPI_INFO_NULL reorder=0 newcomm=*");
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, &in, MPI_UNWEIGHTED, 0, &out, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &other);
}

int main(int argc, char **argv)
{
    EXPECT("init", "argc=1 argv=*");
    MPI_Init(&argc, &argv);
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    UNSEEN(Comm_size)(MPI_COMM_WORLD, &size);
    last = size - 1;
    duplicates();
    splits();
    groups();
    from_groups();
    between_groups();
    grids();
    graphs();
    distributed_graphs();
    EXPECT("finalize", " ");
    MPI_Finalize();
    expect_write(rank);
    return 0;
}
