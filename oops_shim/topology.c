/* Class Topology and its subclasses: which rank each neighbour has. Hides how row and column become a rank. */
#include "topology.h"

#include <stdlib.h>

#define METHOD_NAME(class, method) .method = class "::" #method,
#define DIRECTION_NAMES(class, verb)                                                                                   \
    {                                                                                                                  \
        [OOPS_NORTH] = class "::" verb "North", [OOPS_SOUTH] = class "::" verb "South",                                \
        [OOPS_WEST] = class "::" verb "West", [OOPS_EAST] = class "::" verb "East", [OOPS_NW] = class "::" verb "NW",  \
        [OOPS_SE] = class "::" verb "SE", [OOPS_NE] = class "::" verb "NE", [OOPS_SW] = class "::" verb "SW",          \
        [OOPS_PREVIOUS] = class "::" verb "Previous", [OOPS_NEXT] = class "::" verb "Next",                            \
    }
#define NAMES(class)                                                                                                   \
    OOPS_TOPOLOGY_METHODS(METHOD_NAME, class).to = DIRECTION_NAMES(class, "to"), .from = DIRECTION_NAMES(class, "fro"  \
                                                                                                                "m")

static const OopsTopologyClass topology_class = {NAMES("Topology")};
static const OopsTopologyClass plain_class = {NAMES("TopologyPlain")};
static const OopsTopologyClass linear_class = {NAMES("TopologyLinear"), .has_line = true, .is_cartesian = true,
                                               .is_flat = true};
static const OopsTopologyClass pipe_class = {NAMES("TopologyPipe"), .has_line = true};
static const OopsTopologyClass grid_class = {NAMES("TopologyGrid"), .has_line = true, .is_cartesian = true};
static const OopsTopologyClass torus_class = {NAMES("TopologyTorus"), .has_line = true, .is_cartesian = true,
                                              .closed = true};

/* Differences of row and column from a process to its neighbours. Previous and Next follow the ranks and have none. */
static const struct {
    int down, right;
} steps[OOPS_DIRECTIONS] = {
    [OOPS_NORTH] = {-1, 0}, [OOPS_SOUTH] = {1, 0}, [OOPS_WEST] = {0, -1}, [OOPS_EAST] = {0, 1},
    [OOPS_NW] = {-1, -1},   [OOPS_SE] = {1, 1},    [OOPS_NE] = {-1, 1},   [OOPS_SW] = {1, -1},
};

OopsDirection oops_direction_back(OopsDirection direction)
{
    return (OopsDirection)(direction ^ 1); /* flips the last bit: opposite directions are pairs in the enumeration */
}

static int wrap(int i, int n)
{
    return (i % n + n) % n;
}

int oops_topology_rank_at(const OopsTopology *topology, int row, int col)
{
    return wrap(row, topology->rows) * topology->cols + wrap(col, topology->cols);
}

static int cartesian_neighbour(const OopsTopology *topology, OopsDirection direction)
{
    int row = topology->at_row + steps[direction].down, col = topology->at_col + steps[direction].right;
    if (topology->class->is_flat && direction != OOPS_WEST && direction != OOPS_EAST)
        return OOPS_ERR_DIRECTION;
    bool inside = row >= 0 && row < topology->rows && col >= 0 && col < topology->cols;
    return inside || topology->closed ? oops_topology_rank_at(topology, row, col) : OOPS_NOBODY;
}

/* Return the rank before (step -1) or behind (step 1) `rank` in a line of `size` processes; OOPS_NOBODY: none. */
static int line_neighbour(int rank, int size, bool closed, int step)
{
    int other = rank + step;
    return closed || (other >= 0 && other < size) ? wrap(other, size) : OOPS_NOBODY;
}

static void find_neighbours(OopsTopology *t)
{
    int rank = t->group->rank, size = t->group->size;
    for (int d = 0; d < OOPS_PREVIOUS; d++)
        t->neighbour[d] = t->class->is_cartesian ? cartesian_neighbour(t, (OopsDirection)d) : OOPS_ERR_DIRECTION;
    t->neighbour[OOPS_PREVIOUS] = t->class->has_line ? line_neighbour(rank, size, t->closed, -1) : OOPS_ERR_DIRECTION;
    t->neighbour[OOPS_NEXT] = t->class->has_line ? line_neighbour(rank, size, t->closed, 1) : OOPS_ERR_DIRECTION;
}

static int make(const OopsTopologyClass *class, OopsGroup *group, int cols, bool closed, OopsTopology **made)
{
    if (!made || !group)
        return OOPS_ERR_OBJECT;
    *made = NULL;
    if (cols < 1 || group->size % cols != 0)
        return OOPS_ERR_RANGE;
    OopsTopology *topology = malloc(sizeof *topology);
    if (!topology)
        return OOPS_ERR_MEMORY;
    *topology = (OopsTopology){.class = class,
                               .group = group,
                               .rows = group->size / cols,
                               .cols = cols,
                               .at_row = group->rank / cols,
                               .at_col = group->rank % cols,
                               .closed = closed};
    find_neighbours(topology);
    *made = topology;
    return OOPS_SUCCESS;
}

static int size_of(const OopsGroup *group)
{
    return group ? group->size : 0;
}

int oops_topology_new(OopsGroup *group, OopsTopology **topology)
{
    HIERA_CALL("oops", "Topology::Topology", "gsize=%d", size_of(group));
    return make(&topology_class, group, size_of(group), false, topology);
}

int oops_topology_plain_new(OopsGroup *group, OopsTopology **topology)
{
    HIERA_CALL("oops", "TopologyPlain::TopologyPlain", "gsize=%d", size_of(group));
    return make(&plain_class, group, size_of(group), false, topology);
}

int oops_topology_linear_new(OopsGroup *group, OopsTopology **topology)
{
    HIERA_CALL("oops", "TopologyLinear::TopologyLinear", "gsize=%d", size_of(group));
    return make(&linear_class, group, size_of(group), false, topology);
}

/* Return a neighbour of a new pipe's process, for the call's arguments in a trace; unused without Hiera. */
static inline int end_of_pipe(const OopsGroup *group, bool closed, int step)
{
    return group ? line_neighbour(group->rank, group->size, closed, step) : OOPS_NOBODY;
}

int oops_topology_pipe_new(OopsGroup *group, bool closed, OopsTopology **topology)
{
    HIERA_CALL("oops", "TopologyPipe::TopologyPipe", "previous=%d next=%d", end_of_pipe(group, closed, -1),
               end_of_pipe(group, closed, 1));
    return make(&pipe_class, group, size_of(group), closed, topology);
}

int oops_topology_split(OopsTopology *topology, int color, int key, OopsGroup **part)
{
    HIERA_CALL("oops", OOPS_NAME(topology, split), "color=%d key=%d", color, key);
    return topology ? oops_group_split(topology->group, color, key, part) : OOPS_ERR_OBJECT;
}

/* Make a pipe of those members of the grid that have this process's colour, in the order of their keys. */
static int make_line(OopsTopology *grid, int color, int key, OopsTopology **line)
{
    OopsGroup *members;
    int error = oops_topology_split(grid, color, key, &members);
    if (error)
        return error;
    error = oops_topology_pipe_new(members, grid->closed, line);
    if (error)
        oops_group_free(members);
    else
        (*line)->owned_group = members;
    return error;
}

/* Free a topology with the topologies and groups that it owns. Returns the first error of freeing a communicator. */
static int clear_away(OopsTopology *topology)
{
    if (!topology)
        return OOPS_SUCCESS;
    int errors[] = {clear_away(topology->pipe), clear_away(topology->row), clear_away(topology->col),
                    topology->owned_group ? oops_group_free(topology->owned_group) : OOPS_SUCCESS};
    free(topology);
    for (int i = 0; i < (int)(sizeof errors / sizeof errors[0]); i++)
        if (errors[i])
            return errors[i];
    return OOPS_SUCCESS;
}

static int make_grid(const OopsTopologyClass *class, OopsGroup *group, int cols, OopsTopology **made)
{
    int error = make(class, group, cols, class->closed, made);
    if (error)
        return error;
    OopsTopology *grid = *made;
    error = oops_topology_pipe_new(group, grid->closed, &grid->pipe);
    if (!error)
        error = make_line(grid, grid->at_row, grid->at_col, &grid->row);
    if (!error)
        error = make_line(grid, grid->at_col, grid->at_row, &grid->col);
    if (error) {
        clear_away(grid);
        *made = NULL;
    }
    return error;
}

/* Return the number of columns of a grid. cols 0: most square grid, which has one row if the size is prime. */
static int columns_of(const OopsGroup *group, int cols)
{
    int rows = 1, size = size_of(group);
    if (cols != 0 || size == 0)
        return cols;
    for (int divisor = 2; divisor * divisor <= size; divisor++)
        if (size % divisor == 0)
            rows = divisor;
    return size / rows;
}

int oops_topology_grid_new(OopsGroup *group, int cols, OopsTopology **topology)
{
    HIERA_CALL("oops", "TopologyGrid::TopologyGrid", "gsize=%d cols=%d", size_of(group), columns_of(group, cols));
    return make_grid(&grid_class, group, columns_of(group, cols), topology);
}

int oops_topology_torus_new(OopsGroup *group, int cols, OopsTopology **topology)
{
    HIERA_CALL("oops", "TopologyTorus::TopologyTorus", "gsize=%d cols=%d", size_of(group), columns_of(group, cols));
    return make_grid(&torus_class, group, columns_of(group, cols), topology);
}

int oops_topology_free(OopsTopology *topology)
{
    HIERA_CALL("oops", OOPS_NAME(topology, free), NULL);
    return clear_away(topology);
}

OopsGroup *oops_topology_group(const OopsTopology *topology)
{
    return topology ? topology->group : NULL;
}

int oops_topology_shape(const OopsTopology *topology, int *rows, int *cols)
{
    if (!topology)
        return OOPS_ERR_OBJECT;
    if (rows)
        *rows = topology->rows;
    if (cols)
        *cols = topology->cols;
    return OOPS_SUCCESS;
}

int oops_topology_place(const OopsTopology *topology, int *row, int *col)
{
    if (!topology)
        return OOPS_ERR_OBJECT;
    if (row)
        *row = topology->at_row;
    if (col)
        *col = topology->at_col;
    return OOPS_SUCCESS;
}

int oops_topology_neighbour(const OopsTopology *topology, OopsDirection direction)
{
    if (!topology)
        return OOPS_ERR_OBJECT;
    return (unsigned)direction < OOPS_DIRECTIONS ? topology->neighbour[direction] : OOPS_ERR_DIRECTION;
}

bool oops_topology_is_cartesian(const OopsTopology *topology)
{
    return topology->class->is_cartesian;
}
