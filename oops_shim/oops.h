/** OOPS: groups, topologies, distributed vectors and matrices for parallel programs, on MPI.
 *
 * After the framework of E. Sonoda and G. Travieso ("The OOPS framework: high level abstractions for the development of
 * parallel scientific applications", OOPSLA 2006), in C: a class is an opaque type, a method is a function
 * oops_<class>_<method>() whose first parameter is the object. Traced by Hiera, each call is an operation of the level
 * oops named Class::method, MPI nests in it. Functions marked (accessor) only say what the object knows; they are free
 * and leave no trace.
 *
 * Errors. Every method returns OOPS_SUCCESS or says what is wrong: a negative number is one of OopsError, a positive
 * one is an error code of MPI, passed on as it came. Whether MPI returns at all is the affair of the communicator's
 * error handler: by default an error of MPI ends the program with MPI's own message. OOPS itself never ends the program
 * and never prints. After an error, results are undefined; objects that a failed constructor would have made are NULL.
 * OOPS checks what costs no message; that members of a group agree (same method, same count, same root) is their duty.
 * A member that gets an error of OOPS did not communicate: if not all members get it, the others wait for it, so that
 * going on is no option. Only OOPS_ERR_MEMORY can meet one alone that made no mistake.
 *
 * Collective. Methods marked (collective) must be called by all members of the object's group, in the same order.
 *
 * Ownership. new makes, free clears away; a free of NULL does nothing. Objects keep a pointer to what they were made
 * of: free a vector before its distribution and topology, a topology before its group. Data is the caller's, and not
 * kept beyond the call, but for what the _data() accessors return: it is the object's.
 *
 * Threads. There is no global state but that of oops_init() and oops_finalize(). Different objects may be used by
 * different threads at once if MPI was started with MPI_THREAD_MULTIPLE; one object must not. An object shares the
 * group that it was made of: two topologies of one group count as one object.
 *
 * Element types: `count` elements of `type` lie one behind the other. Ranks are those of members in their group, from
 * 0. */
#ifndef OOPS_H
#define OOPS_H

#include <mpi.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* noinline: each method has a caller, whose line is its place in a trace. */
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
    OOPS_ERR_OBJECT = -1,    /* an object or a pointer is NULL that must not be */
    OOPS_ERR_TYPE = -2,      /* no such element type or operator */
    OOPS_ERR_RANGE = -3,     /* a size, rank, tag or index is outside what it may be */
    OOPS_ERR_DIRECTION = -4, /* the class of this topology has no such neighbour, row or column */
    OOPS_ERR_SHAPE = -5,     /* the objects do not fit together */
    OOPS_ERR_MEMORY = -6     /* there is no memory left */
} OopsError;

typedef enum OopsType { OOPS_CHAR, OOPS_INT, OOPS_LONG, OOPS_FLOAT, OOPS_DOUBLE, OOPS_TYPES } OopsType;

typedef enum OopsOp { OOPS_MAX, OOPS_MIN, OOPS_SUM, OOPS_PROD, OOPS_OPS } OopsOp;

/* Neighbours. North is the row with the lower number, West the column with the lower number. */
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

/* Instead of a rank: every member gets the result. */
#define OOPS_ALL (-1)
/* Instead of a rank: nobody, beyond a border. Instead of a colour: in no part. */
#define OOPS_NOBODY (-2)

/* Tags of messages are 0 to OOPS_TAG_MAX; those above are used between neighbours. */
#define OOPS_TAG_MAX 32699

/* Room for the text of an error. */
#define OOPS_ERROR_TEXT 512

/* --- the program --- */

/** Start MPI, unless it runs already. The parameters are those of main(), or NULL. (collective: all processes) */
OOPS_PUBLIC int oops_init(int *argc, char ***argv);

/** End MPI, if oops_init() started it. Objects must have been freed. (collective: all processes) */
OOPS_PUBLIC int oops_finalize(void);

/** What an error means, written to `text`. Returns text. (accessor) */
OOPS_PUBLIC const char *oops_error_text(int error, char text[OOPS_ERROR_TEXT]);

/** Bytes of one element, 0 if there is no such type. (accessor) */
OOPS_PUBLIC int oops_type_bytes(OopsType type);

/* --- Group: a number of processes --- */

/** All processes of the program. It has a communicator of its own: messages of OOPS and others never meet. (collective)
 */
OOPS_PUBLIC int oops_group_world(OopsGroup **group);

/** The processes of a communicator, which is duplicated and stays the caller's. (collective) */
OOPS_PUBLIC int oops_group_new(MPI_Comm comm, OopsGroup **group);

/** (collective) */
OOPS_PUBLIC int oops_group_free(OopsGroup *group);

/** This process's number in the group; number of members; the communicator, which stays the group's. OOPS_ERR_OBJECT,
 * or MPI_COMM_NULL, of NULL. (accessors) */
OOPS_PUBLIC int oops_group_rank(const OopsGroup *group);
OOPS_PUBLIC int oops_group_size(const OopsGroup *group);
OOPS_PUBLIC MPI_Comm oops_group_comm(const OopsGroup *group);

/** Divide: members with the same colour (>= 0) form a group, in the order of their keys, equal keys in that of their
 * ranks. Who gives OOPS_NOBODY gets NULL. (collective) */
OOPS_PUBLIC int oops_group_split(OopsGroup *group, int color, int key, OopsGroup **part);

/** The group of the `count` members that `ranks` lists, in that order; on others NULL. (collective) */
OOPS_PUBLIC int oops_group_sub_group(OopsGroup *group, int count, const int *ranks, OopsGroup **part);

/** Whether the process with this number in the whole program is a member: 1, 0, or an error (negative). */
OOPS_PUBLIC int oops_group_is_in_group(OopsGroup *group, int process);

/** Wait until all members are here. (collective) */
OOPS_PUBLIC int oops_group_barrier(OopsGroup *group);

/** data of root goes to data of all. (collective) */
OOPS_PUBLIC int oops_group_bcast(OopsGroup *group, void *data, int count, OopsType type, int root);

/** Put the parts of all members one behind the other, in the order of ranks.
 *
 * @param own     count elements of this member
 * @param all     the result: on member `root`, or on all members if root is OOPS_ALL; ignored elsewhere
 * @param counts  elements of each member, read where `all` is; NULL, then on all members, if all have the same count
 * (collective) */
OOPS_PUBLIC int oops_group_gather(OopsGroup *group, const void *own, int count, OopsType type, void *all,
                                  const int *counts, int root);

/** oops_group_gather() with places of the caller's choice: the part of member m begins at element offsets[m]. */
OOPS_PUBLIC int oops_group_gatherv(OopsGroup *group, const void *own, int count, OopsType type, void *all,
                                   const int *counts, const int *offsets, int root);

/** The opposite of oops_group_gather(): `all` on root is dealt out. root is a rank. (collective) */
OOPS_PUBLIC int oops_group_scatter(OopsGroup *group, const void *all, const int *counts, OopsType type, void *own,
                                   int count, int root);

/** The opposite of oops_group_gatherv(). (collective) */
OOPS_PUBLIC int oops_group_scatterv(OopsGroup *group, const void *all, const int *counts, const int *offsets,
                                    OopsType type, void *own, int count, int root);

/** Combine the elements of all members, one by one: own and result hold `count` elements and do not overlap.
 *
 * @param root    the member that gets the result; of all but reduce also OOPS_ALL. result is ignored elsewhere
 * max, min, sum and prod have their operator in the name; allreduce is a reduce whose result all get. (collective) */
OOPS_PUBLIC int oops_group_reduce(OopsGroup *group, const void *own, void *result, int count, OopsType type, OopsOp op,
                                  int root);
OOPS_PUBLIC int oops_group_allreduce(OopsGroup *group, const void *own, void *result, int count, OopsType type,
                                     OopsOp op);
OOPS_PUBLIC int oops_group_max(OopsGroup *group, const void *own, void *result, int count, OopsType type, int root);
OOPS_PUBLIC int oops_group_min(OopsGroup *group, const void *own, void *result, int count, OopsType type, int root);
OOPS_PUBLIC int oops_group_sum(OopsGroup *group, const void *own, void *result, int count, OopsType type, int root);
OOPS_PUBLIC int oops_group_prod(OopsGroup *group, const void *own, void *result, int count, OopsType type, int root);

/** result of member m combines own of members 0 to m. (collective) */
OOPS_PUBLIC int oops_group_scan(OopsGroup *group, const void *own, void *result, int count, OopsType type, OopsOp op);

/** A message to, from member `rank`. A send may wait until its message is received, as MPI_Send does. recv: `count` is
 * the room; the message must not be longer. */
OOPS_PUBLIC int oops_group_send(OopsGroup *group, const void *data, int count, OopsType type, int rank, int tag);
OOPS_PUBLIC int oops_group_recv(OopsGroup *group, void *data, int count, OopsType type, int rank, int tag);

/* --- Partner: one other process --- */

/** Member `rank` of the group, as the other end of messages. */
OOPS_PUBLIC int oops_partner_new(OopsGroup *group, int rank, OopsPartner **partner);
OOPS_PUBLIC int oops_partner_free(OopsPartner *partner);

/** As oops_group_send(), oops_group_recv(). */
OOPS_PUBLIC int oops_partner_send(OopsPartner *partner, const void *data, int count, OopsType type, int tag);
OOPS_PUBLIC int oops_partner_recv(OopsPartner *partner, void *data, int count, OopsType type, int tag);

/* --- Workgroup: a group divided into teams --- */

/** Divide the group into `teams` teams (1 to size) of neighbouring ranks, as equal as can be, the first ones with one
 * member more. (collective) */
OOPS_PUBLIC int oops_workgroup_new(OopsGroup *group, int teams, OopsWorkgroup **workgroup);
OOPS_PUBLIC int oops_workgroup_free(OopsWorkgroup *workgroup);

/** Number of this process's team, from 0; its group, which stays the workgroup's. (accessors) */
OOPS_PUBLIC int oops_workgroup_team(const OopsWorkgroup *workgroup);
OOPS_PUBLIC OopsGroup *oops_workgroup_group(const OopsWorkgroup *workgroup);

/** Whether the process with this number in the whole program is in this process's team: 1, 0 or an error (negative). */
OOPS_PUBLIC int oops_workgroup_is_in_group(OopsWorkgroup *workgroup, int process);

/* --- Topology: the processes of a group in an order --- */

/** Topology: no order, no neighbours. TopologyPlain: the same, for programs that say so. */
OOPS_PUBLIC int oops_topology_new(OopsGroup *group, OopsTopology **topology);
OOPS_PUBLIC int oops_topology_plain_new(OopsGroup *group, OopsTopology **topology);

/** TopologyLinear: a grid of a single row. Neighbours: West and East, which are also Previous and Next; none beyond the
 * ends. */
OOPS_PUBLIC int oops_topology_linear_new(OopsGroup *group, OopsTopology **topology);

/** TopologyPipe: one stage after the other. Neighbours: Previous and Next; if `closed`, the last stage's next is the
 * first, else there are none beyond the ends. */
OOPS_PUBLIC int oops_topology_pipe_new(OopsGroup *group, bool closed, OopsTopology **topology);

/** TopologyGrid: rows and columns; ranks run along the rows. Neighbours: the eight around, none beyond the border; and
 * Previous and Next of the pipe of all members. TopologyTorus: the same, closed in both directions; its pipes are
 * closed.
 *
 * @param cols  columns, a divisor of the size; 0: the most square grid that is not higher than wide
 * (collective: the members of each row and of each column become a group) */
OOPS_PUBLIC int oops_topology_grid_new(OopsGroup *group, int cols, OopsTopology **topology);
OOPS_PUBLIC int oops_topology_torus_new(OopsGroup *group, int cols, OopsTopology **topology);

/** (collective) */
OOPS_PUBLIC int oops_topology_free(OopsTopology *topology);

/** The group that it was made of; rows and columns (1 and size of a line; NULL is allowed where not asked for); where
 * this process stands in it; the rank of a neighbour, OOPS_NOBODY beyond a border, OOPS_ERR_DIRECTION. (accessors) */
OOPS_PUBLIC OopsGroup *oops_topology_group(const OopsTopology *topology);
OOPS_PUBLIC int oops_topology_shape(const OopsTopology *topology, int *rows, int *cols);
OOPS_PUBLIC int oops_topology_place(const OopsTopology *topology, int *row, int *col);
OOPS_PUBLIC int oops_topology_neighbour(const OopsTopology *topology, OopsDirection direction);

/** Of a grid or torus: this process's row, column, as a TopologyPipe that stays the grid's. Else OOPS_ERR_DIRECTION. */
OOPS_PUBLIC int oops_topology_row(OopsTopology *topology, OopsTopology **row);
OOPS_PUBLIC int oops_topology_col(OopsTopology *topology, OopsTopology **col);

/** A message to, from the neighbour in a direction (methods toNorth … fromNext). Beyond a border: nothing is done. What
 * is sent east is received from the west. A send may wait until its message is received: on a closed topology let not
 * all send first, or see the syncGhostsCart() methods. OOPS_ERR_DIRECTION if the class has no such neighbour. */
OOPS_PUBLIC int oops_topology_to(OopsTopology *topology, OopsDirection direction, const void *data, int count,
                                 OopsType type);
OOPS_PUBLIC int oops_topology_from(OopsTopology *topology, OopsDirection direction, void *data, int count,
                                   OopsType type);

/** The methods of the topology's group, see there. */
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

/* --- Distribution: which part has which of `size` elements. No communication, no MPI --- */

/** DistributionNone: every part has all elements. */
OOPS_PUBLIC int oops_distribution_none_new(int size, int parts, OopsDistribution **distribution);

/** DistributionBlocked: each part has neighbouring elements, the first size mod parts ones have one more. */
OOPS_PUBLIC int oops_distribution_blocked_new(int size, int parts, OopsDistribution **distribution);

/** DistributionCyclic: blocks of `block` (>= 1) elements, dealt out to the parts in turn; the last block may be short.
 */
OOPS_PUBLIC int oops_distribution_cyclic_new(int size, int parts, int block, OopsDistribution **distribution);
OOPS_PUBLIC int oops_distribution_free(OopsDistribution *distribution);

/** Elements and parts. (accessors) */
OOPS_PUBLIC int oops_distribution_size(const OopsDistribution *distribution);
OOPS_PUBLIC int oops_distribution_parts(const OopsDistribution *distribution);

/** Number of elements of a part. An error is negative. */
OOPS_PUBLIC int oops_distribution_local_size(OopsDistribution *distribution, int part);

/** Which of all elements (from 0) is element `local` of a part. An error is negative. */
OOPS_PUBLIC int oops_distribution_local_to_global(OopsDistribution *distribution, int part, int local);

/** Which part has an element, OOPS_ALL if all have it, and where: *local is its number there. */
OOPS_PUBLIC int oops_distribution_global_to_local(OopsDistribution *distribution, int global, int *part, int *local);

/* --- Vector: elements of several processes. An element is `width` numbers of `type` --- */

/** Vector: its elements are distributed over the members of the topology; part p is that of rank p.
 *
 * @param distribution  has as many parts as the topology has members
 * @param ghosts        copies of so many elements of the previous and of the next process lie before and behind the own
 *                      ones (see sync_ghosts_cart). Not 0: the distribution must be blocked, no part smaller than
 *                      that, and the topology have Previous and Next, else OOPS_ERR_SHAPE
 * All bytes are zero. */
OOPS_PUBLIC int oops_vector_new(OopsTopology *topology, OopsDistribution *distribution, OopsType type, int width,
                                int ghosts, OopsVector **vector);

/** VectorRepl: every member has all elements. */
OOPS_PUBLIC int oops_vector_repl_new(OopsTopology *topology, int size, OopsType type, int width, OopsVector **vector);

/** VectorSequ: member `owner` has all elements, others none. */
OOPS_PUBLIC int oops_vector_sequ_new(OopsTopology *topology, int size, OopsType type, int width, int owner,
                                     OopsVector **vector);
OOPS_PUBLIC int oops_vector_free(OopsVector *vector);

/** This process's first own element; ghosts lie right before and behind the own ones. (accessor) */
OOPS_PUBLIC void *oops_vector_data(OopsVector *vector);

/** Number of own elements, without ghosts. An error is negative. */
OOPS_PUBLIC int oops_vector_local_size(OopsVector *vector);

/** Which of all elements is the own element `local`. An error is negative. */
OOPS_PUBLIC int oops_vector_local_to_global(OopsVector *vector, int local);

/** Which member has an element, OOPS_ALL if all have it, and where. */
OOPS_PUBLIC int oops_vector_global_to_local(OopsVector *vector, int global, int *rank, int *local);

/** Give the vector its values: `all` has, on root, all elements in their order; ignored elsewhere. (collective) */
OOPS_PUBLIC int oops_vector_load(OopsVector *vector, const void *all, int root);

/** The opposite: the vector's values in their order to `all` on root. Of a VectorRepl those of root. (collective) */
OOPS_PUBLIC int oops_vector_store(OopsVector *vector, void *all, int root);

/** Renew the ghosts from the neighbours. Ghosts beyond an open end stay as they are. (collective) */
OOPS_PUBLIC int oops_vector_sync_ghosts_cart(OopsVector *vector);

/* --- Matrix: blocks of rows and columns on a grid of processes --- */

/** Rows are distributed in blocks over the rows of the topology, columns over its columns (DistributionBlocked).
 *
 * @param topology  TopologyLinear, TopologyGrid or TopologyTorus, else OOPS_ERR_SHAPE
 * @param ghosts    width of the frame of copies of neighbours' elements around the own ones; no block may be smaller
 * All bytes are zero. */
OOPS_PUBLIC int oops_matrix_new(OopsTopology *topology, int rows, int cols, OopsType type, int ghosts,
                                OopsMatrix **matrix);
OOPS_PUBLIC int oops_matrix_free(OopsMatrix *matrix);

/** Own element (0, 0); own element (i, j) is at i * stride + j, for ghosts i or j is negative or beyond. (accessors) */
OOPS_PUBLIC void *oops_matrix_data(OopsMatrix *matrix);
OOPS_PUBLIC int oops_matrix_stride(const OopsMatrix *matrix);

/** Own rows and columns, without ghosts. */
OOPS_PUBLIC int oops_matrix_local_size(OopsMatrix *matrix, int *rows, int *cols);

/** Where in the whole matrix the own element (*row, *col) is: replaces the numbers. */
OOPS_PUBLIC int oops_matrix_local_to_global(OopsMatrix *matrix, int *row, int *col);

/** Which member has element (*row, *col) of the whole matrix, and where: replaces the numbers. */
OOPS_PUBLIC int oops_matrix_global_to_local(OopsMatrix *matrix, int *row, int *col, int *rank);

/** As of vectors; `all` holds row behind row. (collective) */
OOPS_PUBLIC int oops_matrix_load(OopsMatrix *matrix, const void *all, int root);
OOPS_PUBLIC int oops_matrix_store(OopsMatrix *matrix, void *all, int root);

/** Renew the frame of ghosts, corners too, from the neighbours. Beyond an open border it keeps what the program wrote
 * there; at places there that two frames have in common, what was written into the frame to whose own rows they belong.
 * (collective) */
OOPS_PUBLIC int oops_matrix_sync_ghosts_cart(OopsMatrix *matrix);

#ifdef __cplusplus
}
#endif
#endif
