/** OOPS: groups, topologies, distributed vectors and matrices for parallel programs, on MPI.
 *
 * This is the framework of E. Sonoda and G. Travieso ("The OOPS framework: high level abstractions for the development
 * of parallel scientific applications", OOPSLA 2006), written in C. A class is an opaque type. A method is a function
 * oops_<class>_<method>() whose first parameter is the object. In a trace of Hiera each call is an operation
 * Class::method of the level oops, with its MPI calls inside. Functions marked (accessor) only return a value that the
 * object stores; they are not recorded.
 *
 * Errors. Every method returns OOPS_SUCCESS or an error: a negative number is one of OopsError, a positive number is an
 * error code of MPI, unchanged. An error of MPI first goes to the communicator's error handler, which by default ends
 * the program with MPI's own message. OOPS itself never ends the program and never prints. After an error, results are
 * undefined; a constructor that fails sets its object to NULL. OOPS makes only checks that need no message: the caller
 * must ensure that the members of a group agree (same method, same count, same root). A member that gets an error of
 * OOPS did not communicate. If other members did not get it, they wait for this one, so the program cannot go on. Only
 * OOPS_ERR_MEMORY can happen to one member although no member made a mistake.
 *
 * Collective. Methods marked (collective) must be called by all members of the object's group, in the same order.
 *
 * Ownership. `new` makes an object, `free` frees it; a free of NULL does nothing. Objects keep a pointer to the objects
 * that they were made of: free a vector before its distribution and topology, and a topology before its group. Data
 * belongs to the caller and is not used after the call, except the data that _data() accessors return: it belongs to
 * the object.
 *
 * Threads. The only global state is that of oops_init() and oops_finalize(). Different threads may use different
 * objects at the same time if MPI was started with MPI_THREAD_MULTIPLE; they must not use one object at the same time.
 * Objects share the group that they were made of: two topologies of one group count as one object.
 *
 * Arrays hold `count` elements of `type` without gaps. Ranks are those of members in their group, from 0. */
#ifndef OOPS_H
#define OOPS_H

#include <mpi.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* noinline: a trace has the line of the call as its call site, so the compiler must keep the call. */
#if defined(__GNUC__)
#define OOPS_PUBLIC __attribute__((visibility("default"), noinline))
#else
#define OOPS_PUBLIC
#endif

typedef struct OopsGroup OopsGroup;
typedef struct OopsPartner OopsPartner;
typedef struct OopsTopology OopsTopology;
typedef struct OopsWorkgroup OopsWorkgroup;
typedef struct OopsDistribution OopsDistribution;
typedef struct OopsVector OopsVector;
typedef struct OopsMatrix OopsMatrix;

typedef enum OopsError {
    OOPS_SUCCESS = 0,
    OOPS_ERR_OBJECT = -1,    /* NULL was passed for an object or for a pointer to a result */
    OOPS_ERR_TYPE = -2,      /* there is no such element type or operator */
    OOPS_ERR_RANGE = -3,     /* a size, rank, tag or index is out of range */
    OOPS_ERR_DIRECTION = -4, /* the topology's class has no such neighbour, row or column */
    OOPS_ERR_SHAPE = -5,     /* the sizes or classes of the objects do not match */
    OOPS_ERR_MEMORY = -6     /* out of memory */
} OopsError;

typedef enum OopsType { OOPS_CHAR, OOPS_INT, OOPS_LONG, OOPS_FLOAT, OOPS_DOUBLE, OOPS_TYPES } OopsType;

typedef enum OopsOp { OOPS_MAX, OOPS_MIN, OOPS_SUM, OOPS_PROD, OOPS_OPS } OopsOp;

/* Directions of neighbours. North: the row with the next lower number; West: the column with the next lower number. */
typedef enum OopsDirection {
    OOPS_NORTH,
    OOPS_SOUTH,
    OOPS_WEST,
    OOPS_EAST,
    OOPS_NW,
    OOPS_SE,
    OOPS_NE,
    OOPS_SW,
    OOPS_PREVIOUS,
    OOPS_NEXT,
    OOPS_DIRECTIONS
} OopsDirection;

/* As a rank: all members. As root: every member gets the result. */
#define OOPS_ALL (-1)
/* As a neighbour's rank: there is no process, as beyond a border. As a colour: member of no part. */
#define OOPS_NOBODY (-2)

/* The user's messages have tags from 0 to OOPS_TAG_MAX; OOPS uses larger tags between neighbours. */
#define OOPS_TAG_MAX 32699

/* Size of the buffer for oops_error_text(), in bytes. */
#define OOPS_ERROR_TEXT 512

/* --- start and end, errors, element types --- */

/** Start MPI, unless MPI runs already. The parameters are those of main(), or NULL. (collective: all processes) */
OOPS_PUBLIC int oops_init(int *argc, char ***argv);

/** End MPI if oops_init() has started it. All objects must have been freed. (collective: all processes) */
OOPS_PUBLIC int oops_finalize(void);

/** Write the description of an error to `text`. Returns `text`. (accessor) */
OOPS_PUBLIC const char *oops_error_text(int error, char text[OOPS_ERROR_TEXT]);

/** Return the size of an element in bytes, 0 if there is no such type. (accessor) */
OOPS_PUBLIC int oops_type_bytes(OopsType type);

/* --- Group: some or all processes of the program --- */

/** Make the group of all processes. It has its own communicator, so that messages of OOPS are never mixed with others.
 * (collective) */
OOPS_PUBLIC int oops_group_world(OopsGroup **group);

/** Make the group of a communicator's processes. The communicator is duplicated; the original stays the caller's.
 * (collective) */
OOPS_PUBLIC int oops_group_new(MPI_Comm comm, OopsGroup **group);

/** Free the group and its communicator. (collective) */
OOPS_PUBLIC int oops_group_free(OopsGroup *group);

/** Rank of this process in the group; number of members; the communicator, which stays the group's. If the group is
 * NULL: OOPS_ERR_OBJECT, or MPI_COMM_NULL. (accessors) */
OOPS_PUBLIC int oops_group_rank(const OopsGroup *group);
OOPS_PUBLIC int oops_group_size(const OopsGroup *group);
OOPS_PUBLIC MPI_Comm oops_group_comm(const OopsGroup *group);

/** Divide the group: members with the same colour (>= 0) form a group, ordered by their keys, and by their ranks if the
 * keys are equal. A member that gives OOPS_NOBODY gets NULL. (collective) */
OOPS_PUBLIC int oops_group_split(OopsGroup *group, int color, int key, OopsGroup **part);

/** Make the group of the `count` members listed in `ranks`, in that order. Other members get NULL. (collective) */
OOPS_PUBLIC int oops_group_sub_group(OopsGroup *group, int count, const int *ranks, OopsGroup **part);

/** Whether the process with rank `process` in MPI_COMM_WORLD is a member: 1, 0, or an error (negative). */
OOPS_PUBLIC int oops_group_is_in_group(OopsGroup *group, int process);

/** Wait until all members have called this method. (collective) */
OOPS_PUBLIC int oops_group_barrier(OopsGroup *group);

/** Copy `data` of member `root` to `data` of all members. (collective) */
OOPS_PUBLIC int oops_group_bcast(OopsGroup *group, void *data, int count, OopsType type, int root);

/** Collect the parts of all members in one array, in the order of ranks.
 *
 * @param own     count elements of this member
 * @param all     the result: on member `root`, or on all members if root is OOPS_ALL; ignored elsewhere
 * @param counts  number of elements of each member, read on the members that get `all`; or NULL on all members, if all
 *                have the same count
 * (collective) */
OOPS_PUBLIC int oops_group_gather(OopsGroup *group, const void *own, int count, OopsType type, void *all,
                                  const int *counts, int root);

/** Do as oops_group_gather(), but the part of member m begins at element offsets[m] of `all`. (collective) */
OOPS_PUBLIC int oops_group_gatherv(OopsGroup *group, const void *own, int count, OopsType type, void *all,
                                   const int *counts, const int *offsets, int root);

/** The opposite of oops_group_gather(): distribute `all` of member `root`, which is not OOPS_ALL. (collective) */
OOPS_PUBLIC int oops_group_scatter(OopsGroup *group, const void *all, const int *counts, OopsType type, void *own,
                                   int count, int root);

/** The opposite of oops_group_gatherv(): the part of member m begins at element offsets[m] of `all`. (collective) */
OOPS_PUBLIC int oops_group_scatterv(OopsGroup *group, const void *all, const int *counts, const int *offsets,
                                    OopsType type, void *own, int count, int root);

/** Combine element i of all members, for each i. `own` and `result` hold `count` elements and do not overlap.
 *
 * @param root  the member that gets the result. In max, min, sum and prod OOPS_ALL is allowed, too. On other members
 *              `result` is ignored
 * max, min, sum and prod have their operator in the name; allreduce gives the result to all members. (collective) */
OOPS_PUBLIC int oops_group_reduce(OopsGroup *group, const void *own, void *result, int count, OopsType type, OopsOp op,
                                  int root);
OOPS_PUBLIC int oops_group_allreduce(OopsGroup *group, const void *own, void *result, int count, OopsType type,
                                     OopsOp op);
OOPS_PUBLIC int oops_group_max(OopsGroup *group, const void *own, void *result, int count, OopsType type, int root);
OOPS_PUBLIC int oops_group_min(OopsGroup *group, const void *own, void *result, int count, OopsType type, int root);
OOPS_PUBLIC int oops_group_sum(OopsGroup *group, const void *own, void *result, int count, OopsType type, int root);
OOPS_PUBLIC int oops_group_prod(OopsGroup *group, const void *own, void *result, int count, OopsType type, int root);

/** Combine `own` of members 0 to m, for each member m, in `result` of member m. (collective) */
OOPS_PUBLIC int oops_group_scan(OopsGroup *group, const void *own, void *result, int count, OopsType type, OopsOp op);

/** Send a message to member `rank`, receive one from it. A send may wait until its message is received, as MPI_Send
 * does. In recv, `count` is the room in `data`; the message must not be longer. */
OOPS_PUBLIC int oops_group_send(OopsGroup *group, const void *data, int count, OopsType type, int rank, int tag);
OOPS_PUBLIC int oops_group_recv(OopsGroup *group, void *data, int count, OopsType type, int rank, int tag);

/* --- Partner: one other process --- */

/** Make a partner object for member `rank` of the group, with which this process exchanges messages. */
OOPS_PUBLIC int oops_partner_new(OopsGroup *group, int rank, OopsPartner **partner);
OOPS_PUBLIC int oops_partner_free(OopsPartner *partner);

/** Do as oops_group_send() and oops_group_recv(), with the partner's rank. */
OOPS_PUBLIC int oops_partner_send(OopsPartner *partner, const void *data, int count, OopsType type, int tag);
OOPS_PUBLIC int oops_partner_recv(OopsPartner *partner, void *data, int count, OopsType type, int tag);

/* --- Workgroup: a group divided into teams --- */

/** Divide the group into `teams` teams (1 to size) of consecutive ranks. If the size is not a multiple of `teams`, the
 * first teams have one member more. (collective) */
OOPS_PUBLIC int oops_workgroup_new(OopsGroup *group, int teams, OopsWorkgroup **workgroup);
OOPS_PUBLIC int oops_workgroup_free(OopsWorkgroup *workgroup);

/** Number of this process's team, from 0; group of the team, which the workgroup owns. (accessors) */
OOPS_PUBLIC int oops_workgroup_team(const OopsWorkgroup *workgroup);
OOPS_PUBLIC OopsGroup *oops_workgroup_group(const OopsWorkgroup *workgroup);

/** Whether the process with rank `process` in MPI_COMM_WORLD is in this process's team: 1, 0 or an error (negative). */
OOPS_PUBLIC int oops_workgroup_is_in_group(OopsWorkgroup *workgroup, int process);

/* --- Topology: an arrangement of the processes of a group --- */

/** Topology: the group's processes without order or neighbours. TopologyPlain: the same under another name. */
OOPS_PUBLIC int oops_topology_new(OopsGroup *group, OopsTopology **topology);
OOPS_PUBLIC int oops_topology_plain_new(OopsGroup *group, OopsTopology **topology);

/** TopologyLinear: a grid of a single row. Neighbours: West and East, which are also Previous and Next; none beyond the
 * ends. */
OOPS_PUBLIC int oops_topology_linear_new(OopsGroup *group, OopsTopology **topology);

/** TopologyPipe: one stage after the other. Neighbours: Previous and Next. If `closed`, the first stage follows the
 * last one; else there are no neighbours beyond the ends. */
OOPS_PUBLIC int oops_topology_pipe_new(OopsGroup *group, bool closed, OopsTopology **topology);

/** TopologyGrid: rows and columns; ranks run along the rows. Neighbours: the eight around, none beyond the border; and
 * Previous and Next in the pipe of all members. TopologyTorus: the same, closed in both directions, with closed pipes.
 *
 * @param cols  number of columns, a divisor of the size; 0: the most square grid with at least as many columns as rows
 * (collective: the members of each row and of each column become a group) */
OOPS_PUBLIC int oops_topology_grid_new(OopsGroup *group, int cols, OopsTopology **topology);
OOPS_PUBLIC int oops_topology_torus_new(OopsGroup *group, int cols, OopsTopology **topology);

/** Free the topology, with the groups of its rows and columns, but not the group it was made of. (collective) */
OOPS_PUBLIC int oops_topology_free(OopsTopology *topology);

/** The group that the topology was made of; its numbers of rows and columns (1 and size if it is a line); the row and
 * column of this process; the rank of a neighbour: OOPS_NOBODY beyond a border, OOPS_ERR_DIRECTION if the class has no
 * such neighbour. `rows`, `cols`, `row` and `col` may be NULL. (accessors) */
OOPS_PUBLIC OopsGroup *oops_topology_group(const OopsTopology *topology);
OOPS_PUBLIC int oops_topology_shape(const OopsTopology *topology, int *rows, int *cols);
OOPS_PUBLIC int oops_topology_place(const OopsTopology *topology, int *row, int *col);
OOPS_PUBLIC int oops_topology_neighbour(const OopsTopology *topology, OopsDirection direction);

/** The row or column of this process in a grid or torus, as a TopologyPipe that stays the grid's. OOPS_ERR_DIRECTION if
 * the topology is neither. */
OOPS_PUBLIC int oops_topology_row(OopsTopology *topology, OopsTopology **row);
OOPS_PUBLIC int oops_topology_col(OopsTopology *topology, OopsTopology **col);

/** Send a message to the neighbour in a direction, receive one from it (methods toNorth … fromNext). Beyond a border
 * nothing is done. A message sent to the east is received from the west. A send may wait until its message is received:
 * on a closed topology not all members may send first (see the syncGhostsCart() methods instead). OOPS_ERR_DIRECTION if
 * the class has no such neighbour. */
OOPS_PUBLIC int oops_topology_to(OopsTopology *topology, OopsDirection direction, const void *data, int count,
                                 OopsType type);
OOPS_PUBLIC int oops_topology_from(OopsTopology *topology, OopsDirection direction, void *data, int count,
                                   OopsType type);

/** Methods of the topology's group, which do as oops_group_split() and the others of these names. */
OOPS_PUBLIC int oops_topology_split(OopsTopology *topology, int color, int key, OopsGroup **part);
OOPS_PUBLIC int oops_topology_barrier(OopsTopology *topology);
OOPS_PUBLIC int oops_topology_bcast(OopsTopology *topology, void *data, int count, OopsType type, int root);
OOPS_PUBLIC int oops_topology_gather(OopsTopology *topology, const void *own, int count, OopsType type, void *all,
                                     const int *counts, int root);
OOPS_PUBLIC int oops_topology_gatherv(OopsTopology *topology, const void *own, int count, OopsType type, void *all,
                                      const int *counts, const int *offsets, int root);
OOPS_PUBLIC int oops_topology_scatter(OopsTopology *topology, const void *all, const int *counts, OopsType type,
                                      void *own, int count, int root);
OOPS_PUBLIC int oops_topology_scatterv(OopsTopology *topology, const void *all, const int *counts, const int *offsets,
                                       OopsType type, void *own, int count, int root);
OOPS_PUBLIC int oops_topology_reduce(OopsTopology *topology, const void *own, void *result, int count, OopsType type,
                                     OopsOp op, int root);
OOPS_PUBLIC int oops_topology_allreduce(OopsTopology *topology, const void *own, void *result, int count, OopsType type,
                                        OopsOp op);
OOPS_PUBLIC int oops_topology_max(OopsTopology *topology, const void *own, void *result, int count, OopsType type,
                                  int root);
OOPS_PUBLIC int oops_topology_min(OopsTopology *topology, const void *own, void *result, int count, OopsType type,
                                  int root);
OOPS_PUBLIC int oops_topology_sum(OopsTopology *topology, const void *own, void *result, int count, OopsType type,
                                  int root);
OOPS_PUBLIC int oops_topology_prod(OopsTopology *topology, const void *own, void *result, int count, OopsType type,
                                   int root);
OOPS_PUBLIC int oops_topology_scan(OopsTopology *topology, const void *own, void *result, int count, OopsType type,
                                   OopsOp op);
OOPS_PUBLIC int oops_topology_send(OopsTopology *topology, const void *data, int count, OopsType type, int rank,
                                   int tag);
OOPS_PUBLIC int oops_topology_recv(OopsTopology *topology, void *data, int count, OopsType type, int rank, int tag);

/* --- Distribution: assigns `size` elements to parts. Only computes, and sends no message --- */

/** DistributionNone: every part has all elements. */
OOPS_PUBLIC int oops_distribution_none_new(int size, int parts, OopsDistribution **distribution);

/** DistributionBlocked: each part has consecutive elements. The first (size mod parts) parts have one element more. */
OOPS_PUBLIC int oops_distribution_blocked_new(int size, int parts, OopsDistribution **distribution);

/** DistributionCyclic: blocks of `block` (>= 1) elements go to the parts in turn. The last block may be shorter. */
OOPS_PUBLIC int oops_distribution_cyclic_new(int size, int parts, int block, OopsDistribution **distribution);
OOPS_PUBLIC int oops_distribution_free(OopsDistribution *distribution);

/** Number of elements of the distribution; number of its parts. (accessors) */
OOPS_PUBLIC int oops_distribution_size(const OopsDistribution *distribution);
OOPS_PUBLIC int oops_distribution_parts(const OopsDistribution *distribution);

/** Number of elements of a part, or an error (negative). */
OOPS_PUBLIC int oops_distribution_local_size(OopsDistribution *distribution, int part);

/** Global number (from 0) of the element with number `local` in a part, or an error (negative). */
OOPS_PUBLIC int oops_distribution_local_to_global(OopsDistribution *distribution, int part, int local);

/** Find element `global`: *part becomes the part with it, OOPS_ALL if all have it; *local its number in the part. */
OOPS_PUBLIC int oops_distribution_global_to_local(OopsDistribution *distribution, int global, int *part, int *local);

/* --- Vector: elements of several processes. An element is `width` numbers of `type` --- */

/** Vector: elements distributed over the members of the topology. Rank p has part p of the distribution.
 *
 * @param distribution  has as many parts as the topology has members
 * @param ghosts        number of ghosts on each side: copies of elements of the previous process before the own
 *                      elements, and of the next process behind them (see sync_ghosts_cart). If it is not 0, the
 *                      distribution must be blocked, with parts of at least that size, and the topology must have
 *                      Previous and Next, else OOPS_ERR_SHAPE
 * All elements are zero at first. */
OOPS_PUBLIC int oops_vector_new(OopsTopology *topology, OopsDistribution *distribution, OopsType type, int width,
                                int ghosts, OopsVector **vector);

/** VectorRepl: every member of the topology has all elements. */
OOPS_PUBLIC int oops_vector_repl_new(OopsTopology *topology, int size, OopsType type, int width, OopsVector **vector);

/** VectorSequ: member `owner` of the topology has all elements, the other members have none. */
OOPS_PUBLIC int oops_vector_sequ_new(OopsTopology *topology, int size, OopsType type, int width, int owner,
                                     OopsVector **vector);
OOPS_PUBLIC int oops_vector_free(OopsVector *vector);

/** Address of this process's first own element. Ghosts are right before and behind the own elements. (accessor) */
OOPS_PUBLIC void *oops_vector_data(OopsVector *vector);

/** Number of this process's own elements, without ghosts, or an error (negative). */
OOPS_PUBLIC int oops_vector_local_size(OopsVector *vector);

/** Global number of this process's own element `local`, or an error (negative). */
OOPS_PUBLIC int oops_vector_local_to_global(OopsVector *vector, int local);

/** Find element `global`: *rank becomes the member with it, OOPS_ALL if all have it; *local its number there. */
OOPS_PUBLIC int oops_vector_global_to_local(OopsVector *vector, int global, int *rank, int *local);

/** Fill the vector from `all` on member `root`, an array of all elements; other members ignore `all`. (collective) */
OOPS_PUBLIC int oops_vector_load(OopsVector *vector, const void *all, int root);

/** Write all elements in order to `all` on member `root`. Of a VectorRepl, root's elements are taken. (collective) */
OOPS_PUBLIC int oops_vector_store(OopsVector *vector, void *all, int root);

/** Copy elements of both neighbours into the ghosts. Ghosts beyond an open end are not changed. (collective) */
OOPS_PUBLIC int oops_vector_sync_ghosts_cart(OopsVector *vector);

/* --- Matrix: blocks of rows and columns on a grid of processes --- */

/** Matrix: its rows are distributed in blocks over the rows of the topology, its columns over the columns
 * (DistributionBlocked).
 *
 * @param topology  TopologyLinear, TopologyGrid or TopologyTorus, else OOPS_ERR_SHAPE
 * @param ghosts    width of the frame of ghosts (copies of neighbours' elements) around the own elements; no block may
 *                  be smaller than that
 * All elements are zero at first. */
OOPS_PUBLIC int oops_matrix_new(OopsTopology *topology, int rows, int cols, OopsType type, int ghosts,
                                OopsMatrix **matrix);
OOPS_PUBLIC int oops_matrix_free(OopsMatrix *matrix);

/** Address of the own element (0, 0), and the stride: own element (i, j) is at i * stride + j. For ghosts, i or j is
 * negative or beyond the own elements. (accessors) */
OOPS_PUBLIC void *oops_matrix_data(OopsMatrix *matrix);
OOPS_PUBLIC int oops_matrix_stride(const OopsMatrix *matrix);

/** Numbers of this process's own rows and columns, without ghosts. */
OOPS_PUBLIC int oops_matrix_local_size(OopsMatrix *matrix, int *rows, int *cols);

/** Replace row and column of an own element by its row and column in the whole matrix. */
OOPS_PUBLIC int oops_matrix_local_to_global(OopsMatrix *matrix, int *row, int *col);

/** Find element (*row, *col) of the whole matrix: *rank is the member that has it; row and column are replaced by its
 * place there. */
OOPS_PUBLIC int oops_matrix_global_to_local(OopsMatrix *matrix, int *row, int *col, int *rank);

/** Fill the matrix from `all` on member `root`; write it there. `all` holds one row after the other. (collective) */
OOPS_PUBLIC int oops_matrix_load(OopsMatrix *matrix, const void *all, int root);
OOPS_PUBLIC int oops_matrix_store(OopsMatrix *matrix, void *all, int root);

/** Copy the neighbours' elements into the frame of ghosts, including corners. Beyond an open border the frame keeps the
 * values that the program wrote there. Where the frames of two members share such a place, the value of the member
 * whose own rows contain the place is taken. (collective) */
OOPS_PUBLIC int oops_matrix_sync_ghosts_cart(OopsMatrix *matrix);

#ifdef __cplusplus
}
#endif
#endif
