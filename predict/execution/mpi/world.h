/* All processes of a run, and the state between them: communicators, messages with their contents, collectives,
 * windows. It feeds the simulator. */
#pragma once

#include "execution/walk/process.h"
#include "functions.h"

/* Numbers of predefined groups: HIERA_WORLD is MPI_COMM_WORLD, HIERA_SELF + rank is MPI_COMM_SELF of that rank. */
enum { HIERA_WORLD = 0, HIERA_SELF = 1, HIERA_MOST_DIMENSIONS = 8 };
/* Group numbers for messages between leaders, and for messages of neighbourhood collectives (plus the group's own
 * number). No group of the program has such numbers. */
enum { HIERA_LEADERS = 0x40000000, HIERA_NEIGHBOURS = 0x40000001 };

/* --- MPI types, and data in memory --- */

/* Contiguous bytes in an element of a type: n bytes at displacement `at`. */
typedef struct {
    gint64 at, n;
} HieraTypeBlock;

typedef struct {
    gint64 size, low, extent, alignment;
    GArray *blocks; /* HieraTypeBlock, in the order of the data; NULL: not known, or too many blocks */
} HieraMpiType;

/* Data in the memory of a process: where they are, and of which type. */
typedef struct {
    HieraKnown address;
    guint64 count;
    const HieraMpiType *type; /* type of the data; NULL: not known */
    gint64 bytes;             /* size of all data; if the type is not known: the size that --message assumes */
} HieraMpiData;

/* --- groups: communicators, MPI's groups, windows, and files --- */

/* Neighbours of a member of a graph. */
typedef struct {
    GArray *in, *out; /* gint32: members that send to this one, and to which it sends; below 0: no neighbour */
} HieraMemberEdges;

/* The memory that one member exposes in a window. */
typedef struct {
    guint64 base, unit;
    gboolean known;
    GArray *exposed, *accessed; /* guint32: world ranks passed to the last MPI_Win_post, MPI_Win_start */
} HieraWindowPart;

typedef struct {
    GArray *ranks; /* guint32: by member, its rank in MPI_COMM_WORLD; the array is shared with other groups */
    gint32 n_dimensions, dimensions[HIERA_MOST_DIMENSIONS], periods[HIERA_MOST_DIMENSIONS];
    gboolean is_inter;
    guint remote, both; /* of an intercommunicator: number of the group of the other side, and of both sides */
    HieraMemberEdges *neighbours; /* by member: its neighbours in a graph; NULL: the communicator has no graph */
    HieraWindowPart *window;      /* by member: memory that it exposes; NULL: the group is no window */
} HieraGroupOfRanks;

/* --- messages that are sent, received or probed --- */

/* A message until it is received; or a receive until its call is complete. */
typedef struct {
    HieraKnownBytes *bytes; /* contents of the message; NULL: not known, or a receive that no probe has made */
    guint64 n;              /* size of the message in bytes */
    gint32 source, tag;     /* sender (rank in MPI_COMM_WORLD) and tag; of a receive: below 0 until it is matched */
    guint32 dest, group;    /* of a message: receiver and communicator; of a receive: its communicator in `group` */
    HieraMpiData to;        /* of a receive: buffer into which the message is written */
    gboolean keeps; /* of a receive: whether it is made by a probe, and keeps the message's bytes for a later receive */
} HieraParcel;

/* Values of HieraReceived.source, besides ranks: no message was received; the receive was from MPI_PROC_NULL. */
enum { HIERA_RECEIVED_NOTHING = -1, HIERA_RECEIVED_OF_NOBODY = -2 /* the receive was from MPI_PROC_NULL */ };
typedef struct {
    gint32 source, tag; /* sender of the received message, as rank in its communicator; or HIERA_RECEIVED_… */
    guint64 n;
} HieraReceived;

/* A request that a call has completed, and the message that it has received. */
typedef struct {
    guint64 handle;
    HieraReceived received;
} HieraCompletedRequest;

/* A message that a probe has found, until it is received. */
typedef struct {
    guint64 token;   /* token of the receive that the probe has made for the message */
    guint64 message; /* handle that MPI_Mprobe has returned; 0: MPI_Probe, any receive may take the message */
    guint32 group;
} HieraProbedMessage;

/* --- collectives in progress, and what members contribute --- */

/* A collective that some members have entered and not all members have left. */
typedef struct HieraGathering HieraGathering;
typedef struct {
    HieraGathering *gathering; /* the collective that the member has entered; NULL: none */
    guint group, member, root; /* number of the group, of the calling member in it, and of the root in it */
    HieraSimCollective what;
    gboolean exclusive;      /* for HIERA_SIM_SCAN: the scan is exclusive */
    gboolean moves;          /* whether the data are simulated, too; FALSE: received data become unknown */
    HieraMpiData from;       /* data of the member for BROADCAST, SCAN and reductions */
    GArray *pieces, *slots;  /* HieraMpiData. pieces: data for each member, or for all; slots: buffers for the data from
                                each member, or from one */
    guint64 type, operation; /* of a reduction: handles of the type and the operation */
    gint64 bytes;            /* size of the collective's data, as the simulator defines it */
    guint64 turn;
} HieraContribution;

/* What the members of a collective have contributed so far. */
struct HieraGathering {
    HieraKnownBytes **given; /* by member: all pieces of data that it sends, one after another */
    guint64 **ends;          /* by member: end of each of its pieces in `given` */
    guint *n_ends;           /* by member: number of its pieces */
    gint64 *color, *key;     /* of a split, by member: color and key that it has passed */
    GArray **edges;          /* of a graph, by member: gint32: edges that it has passed, as pairs of members */
    HieraWindowPart *window; /* of a window, by member: memory that it exposes */
    guint *new_group; /* of a split, by member: number of its new group; NULL: not all members have entered yet */
    guint32 n, n_left;
};

/* The leader of one side in a call that makes an intercommunicator. */
typedef struct {
    guint group;
    guint32 rank, other; /* rank of this leader, and of the other side's leader, in MPI_COMM_WORLD */
    guint made;          /* number of the new group of this side; 0: the other leader has not made the call yet */
} HieraLeader;

/* --- requests, and what each call waits for --- */

/* An operation that belongs to a request of the program. */
typedef struct {
    HieraSimOperation operation; /* its `request` is the simulator's number, not the program's handle */
    HieraMpiData data;
    guint group; /* number of the group (communicator) of the call that made the request */
} HieraRequestPart;

typedef struct {
    gboolean persistent, is_active;
    gboolean is_done;         /* a test has found the request complete, but has left it open */
    GArray *parts;            /* HieraRequestPart: sends, receives and accesses to windows of the request */
    HieraContribution *share; /* of a collective: the data of this member; NULL: no collective */
    HieraSimOperation collective;
    guint64 n_partitions, n_ready; /* of a partitioned send: its partitions, and how many are ready; it begins when all
                                      are. 0: not partitioned */
    guint64 probed;                /* token of the probed message that the request receives; 0: none */
    gboolean of_nobody;            /* the request receives from MPI_PROC_NULL */
} HieraOpenRequest;

/* The MPI call that a process executes, and what MPI knows of the process. */
typedef struct {
    GArray *queue; /* HieraSimOperation: operations of the current call */
    guint at;      /* index in `queue` of the next operation for the simulator */
    gboolean is_open, fortran;
    const HieraMpiFunction *function;
    const char *name;
    guint group;
    GArray *tokens;    /* guint64: tokens of the receives that the call completes */
    GArray *requests;  /* guint64: simulator requests for which the call waits */
    GArray *handles;   /* guint64: handles of the program's requests that the call names */
    GArray *places;    /* guint64: by index in `handles`, address of the handle in the program's memory; 0: not known */
    GArray *completed; /* guint64: simulator requests that the call's wait has completed */
    GArray *over;      /* HieraCompletedRequest: requests of the program that the call completes */
    HieraReceived received;   /* the last message that the call has received or found */
    guint64 opened;           /* handle of the request that the call makes; 0: none */
    HieraContribution *share; /* data of this member if the call is a blocking collective; NULL: it is none */
    guint made;               /* number of the group that the call makes */
    guint64 side;             /* key in HieraWorld.leaders, if the call makes an intercommunicator */
    guint64 probe;            /* token of the message that the call has probed; 0: none */
    gboolean found;           /* whether a probe that does not wait has found a message */
    gint64 polled_ps;         /* time that the process spent in failed polls since it received its last message */
    guint64 next_request;
    gboolean is_inside;     /* the process has called MPI_Init and not MPI_Finalize */
    gboolean has_begun;     /* whether the begin of the call was reported to the follower */
    gint64 now_ps;          /* simulated end of the process's last operation */
    gdouble computed;       /* cycles of the process's current computation */
    GHashTable *open;       /* handle, as guint64 → HieraOpenRequest: open requests of the process */
    GArray *turns;          /* guint64, by group: number of collectives that the process has begun on it */
    GArray *probed;         /* HieraProbedMessage: messages found and not received, in the order of the probes */
    GPtrArray *freed_types; /* HieraMpiType: types that the program has freed and open requests may still need */
    guint64 n_sent, n_received, bytes_sent, bytes_received, n_collectives;
    gint64 wait_ps;
    guint32 serial;
} HieraCurrentCall;

/* Greatest size in bytes of a predefined type that a program can request by its size. */
enum { HIERA_MPI_LARGEST_NAMED = 32 };

/* Callbacks that report what each process does, in the order in which it does it, with simulated times. */
typedef struct {
    /* A function that process.h records is entered (moves.c); the innermost one is left.
     * @param from  the vertex that calls it; HIERA_NO_VERTEX: the caller is not simulated */
    void (*enters)(gpointer user, guint32 rank, guint graph, guint from, gint64 ps);
    void (*leaves)(gpointer user, guint32 rank, gint64 ps);
    /* A process reaches an MPI call, whose input arguments can be read. `begins` reports the time, once it is known. */
    void (*calls)(gpointer user, HieraWorld *world, guint32 rank);
    void (*begins)(gpointer user, guint32 rank, gint64 ps);
    /* A call has ended: its output arguments can be read. */
    void (*returns)(gpointer user, HieraWorld *world, guint32 rank, gint64 ps);
    gpointer user;
} HieraWorldFollower;

struct HieraWorld {
    const HieraExecution *execution;
    const HieraWalkOptions *options;
    HieraMpiFunctions functions;
    HieraProcess **processes;
    HieraCurrentCall *calls; /* by rank: current call and MPI state of the process */
    GPtrArray *groups;       /* HieraGroupOfRanks, by number: communicators, groups, windows and files */
    GHashTable *lists; /* GArray of guint32: list of ranks → number of the MPI group with these ranks and no other
                          properties; 0: none */
    GPtrArray *types; /* HieraMpiType, by handle - NEW_TYPE: types that the program has made; NULL: freed, or its layout
                         is not known */
    GArray *free_types;                               /* guint: indices of freed types in `types` */
    guint64 named_types[HIERA_MPI_LARGEST_NAMED + 1]; /* by size: handle of the predefined type of this size that a
                                                         program has asked for; 0: none */
    GHashTable *predefined;                           /* size, as guint64 → HieraMpiType: predefined types */
    GHashTable *messages;   /* key of sender and token → HieraParcel: messages that were sent and not received */
    GHashTable *receives;   /* key of receiver and token → HieraParcel: posted receives */
    GHashTable *gatherings; /* group and number of a collective on it, as guint64 → HieraGathering */
    GHashTable *leaders;    /* group of a side and number of the collective on it, as guint64 → HieraLeader */
    GHashTable *tags;       /* vertex of a call → tag of the last send by any rank at this call */
    GHashTable *notes;      /* char * → HieraNoteKind: what the user is told */
    guint n_handles;        /* number of handles that were made for objects without simulated properties */
    gboolean is_openmpi;
    gboolean gave_up; /* a process was given up: the others are not simulated any further */
    HieraLoopFacts *facts;
    const HieraWorldFollower *follower; /* callbacks for the actions of processes; NULL: none */
    guint32 n;
};

/* @param follower  callbacks for the actions of processes; NULL: none */
void hiera_world_init(HieraWorld *world, const HieraExecution *execution, const HieraWalkOptions *options,
                      const HieraWorldFollower *follower);
void hiera_world_clear(HieraWorld *world);
/* Return the source of operations for hiera_simulate(). */
HieraSimFeeder hiera_world_feeder(HieraWorld *world);
/* Return the key of a message or receive in `messages` and `receives`. @param token  token of its operation */
guint64 hiera_parcel_key(guint32 rank, guint64 token);
/* Return the vertex of the call to which the operation with a token belongs. */
guint hiera_world_vertex(guint64 token);
typedef enum {
    HIERA_NOTE_PLAIN,   /* what happens does not depend on it */
    HIERA_NOTE_ASSUMED, /* something that is not known was taken for granted */
    HIERA_NOTE_TIME     /* what happens is a matter of time */
} HieraNoteKind;
/* Add a note for the user on what the simulation does in place of the real program. */
void hiera_world_note(HieraWorld *world, HieraNoteKind kind, const char *format, ...) G_GNUC_PRINTF(3, 4);
HieraKnownMemory *hiera_world_memory(const HieraWorld *world, guint32 rank);

/* --- calls.c: begin and end of calls --- */

/* Begin the MPI call that a process has reached: append its operations to the rank's queue. */
void hiera_mpi_begin(HieraWorld *world, guint32 rank);
/* End a rank's call, whose operations are done: write its results to the process's memory. */
void hiera_mpi_end(HieraWorld *world, guint32 rank);

/* --- arguments.c: arguments and results of calls --- */

/* Whether the function of the call has a parameter with this name. */
gboolean hiera_mpi_has(const HieraCurrentCall *call, HieraMpiName name);
/* Return an argument of a rank's call: an integer of any width, with sign; a handle; a pointer. */
HieraKnown hiera_mpi_integer(HieraWorld *world, guint32 rank, HieraMpiName name);
HieraKnown hiera_mpi_handle(HieraWorld *world, guint32 rank, HieraMpiName name);
HieraKnown hiera_mpi_pointer(HieraWorld *world, guint32 rank, HieraMpiName name);
/* Return the number of an array argument's elements, 0 if it is not known; of other parameters 1. */
guint64 hiera_mpi_count_elements(HieraWorld *world, guint32 rank, const HieraMpiParameter *parameter);
/* Return the i-th element of an array argument of integers or handles. */
HieraKnown hiera_mpi_element(HieraWorld *world, guint32 rank, HieraMpiName name, guint64 i);
/* Return a text argument, a C string; NULL: not known. To be freed with g_free. */
char *hiera_mpi_text(HieraWorld *world, guint32 rank, HieraMpiName name);
/* Write a result of a rank's call where an argument points to; the i-th element of an array. */
void hiera_mpi_write(HieraWorld *world, guint32 rank, HieraMpiName name, gboolean known, guint64 bits);
void hiera_mpi_write_element(HieraWorld *world, guint32 rank, HieraMpiName name, guint64 i, gboolean known,
                             guint64 bits);
/* Make the call's output arguments unknown, except data. @param all  also data, and arguments that the call changes */
void hiera_mpi_forget_results(HieraWorld *world, guint32 rank, gboolean all);
/* Return the width of a handle in bytes, in the program's memory. */
guint hiera_mpi_handle_width(const HieraWorld *world, const HieraCurrentCall *call);
/* Return MPI_PROC_NULL; MPI_ANY_SOURCE; MPI_UNDEFINED: values of the program's MPI library. */
gint32 hiera_mpi_no_process(const HieraWorld *world);
gint32 hiera_mpi_any_source(const HieraWorld *world);
enum { HIERA_MPI_UNDEFINED = -32766 };
/* Return the size in bytes of MPI_Status. */
guint hiera_mpi_status_width(const HieraWorld *world);
/* Whether an address in an argument is MPI_IN_PLACE. */
gboolean hiera_mpi_is_in_place(HieraWorld *world, guint32 rank, HieraKnown address);
/* Return MPI_REQUEST_NULL; MPI_MESSAGE_NULL: handles of the program's MPI library. */
guint64 hiera_mpi_no_request(HieraWorld *world, guint32 rank);
guint64 hiera_mpi_no_message(HieraWorld *world, guint32 rank);

/* --- types.c: types, and data in memory --- */

void hiera_mpi_type_free(gpointer type);
/* Return the type of a handle; NULL: its size or layout is not known. */
const HieraMpiType *hiera_mpi_type(HieraWorld *world, guint32 rank, guint64 handle);
/* Describe data by the arguments of the call; the next function: by given values. */
HieraMpiData hiera_mpi_data(HieraWorld *world, guint32 rank, HieraMpiName buffer, HieraMpiName count,
                            HieraMpiName type);
HieraMpiData hiera_mpi_data_of(const HieraWorld *world, HieraKnown address, HieraKnown count, const HieraMpiType *type);
/* Multiply the number of elements of data by a factor. */
void hiera_mpi_multiply(const HieraWorld *world, HieraMpiData *data, HieraKnown factor);
/* Copy data into contiguous bytes, without the holes of their type; NULL: none of the bytes is known. */
HieraKnownBytes *hiera_mpi_pack(HieraWorld *world, guint32 rank, const HieraMpiData *data);
/* Write n bytes, from offset `from` of `bytes` on, into a buffer. @param bytes  NULL: the buffer becomes unknown */
void hiera_mpi_unpack(HieraWorld *world, guint32 rank, const HieraMpiData *data, const HieraKnownBytes *bytes,
                      guint64 from, guint64 n);

/* --- communicators.c: groups of ranks (communicators, windows, files) --- */

HieraGroupOfRanks *hiera_world_group(const HieraWorld *world, guint group);
guint hiera_world_add_group(HieraWorld *world, const guint32 *ranks, guint n);
GHashTable *hiera_world_lists_new(void);
void hiera_world_group_free(gpointer group);
/* Return the number of a rank in the group; HIERA_NO_VERTEX: it is no member. */
guint hiera_group_member(const HieraGroupOfRanks *group, guint32 rank);
/* Return the group of a handle in an argument: a communicator, group, window or file; MPI_COMM_WORLD's if it is not
 * known. */
guint hiera_mpi_group(HieraWorld *world, guint32 rank, HieraMpiName name);
guint hiera_mpi_group_of_handle(HieraWorld *world, guint32 rank, HieraKnown handle);
guint64 hiera_mpi_group_handle(guint group);
/* Return MPI_COMM_NULL of the program's MPI library. */
guint64 hiera_mpi_no_communicator(HieraWorld *world, guint32 rank);
/* Return the number of the group of a rank's call: that of its communicator, window or file. */
guint hiera_mpi_group_of_call(HieraWorld *world, guint32 rank);

/* --- messages.c: messages and statuses --- */

/* Return a new token for an operation of the rank's call: vertex of the call, and serial number. */
guint64 hiera_mpi_new_token(const HieraWorld *world, guint32 rank);
void hiera_mpi_append(HieraCurrentCall *call, HieraSimOperation operation);
/* Append a send to the rank's operations, behind a random delay if --machine access= is given. */
void hiera_mpi_append_send(HieraWorld *world, guint32 rank, HieraSimOperation operation);
/* Append a wait for the requests in call->requests to the rank's operations. */
void hiera_mpi_append_wait(HieraWorld *world, guint32 rank, HieraSimUntil until);
/* Find the rank of a partner. If it is not known: rank 0 takes the others in turn, the others take rank 0.
 * @return FALSE: MPI_PROC_NULL */
gboolean hiera_mpi_find_peer(HieraWorld *world, guint32 rank, HieraMpiName name, gboolean receives, gint32 *peer);
gint32 hiera_mpi_find_tag(HieraWorld *world, guint32 rank, HieraMpiName name, gboolean receives);
/* Keep the contents of a message until it is received; keep the buffer of a receive. @param group  group of the receive
 */
void hiera_mpi_keep_message(HieraWorld *world, guint32 rank, const HieraSimOperation *operation,
                            const HieraMpiData *data);
void hiera_mpi_keep_receive(HieraWorld *world, guint32 rank, guint group, guint64 token, const HieraMpiData *data);
/* Complete a receive of a rank: write its status. @param status  address of the status; 0: none is wanted */
void hiera_mpi_end_receive(HieraWorld *world, guint32 rank, guint64 token, guint64 status);
/* Write the status of a received message. @param at  address of the status; 0: none is wanted */
void hiera_mpi_write_status(HieraWorld *world, guint32 rank, guint64 at, const HieraParcel *received);
/* Write the status that a receive from MPI_PROC_NULL has. */
void hiera_mpi_write_status_of_nobody(HieraWorld *world, guint32 rank, guint64 at);
/* Return the address of the i-th status of the call; 0: not known, or the call wants none. */
guint64 hiera_mpi_status_at(HieraWorld *world, guint32 rank, guint64 i);

/* Return the number that messages on a communicator have in the simulator: one for both sides of an intercommunicator.
 */
guint hiera_mpi_group_of_messages(const HieraWorld *world, guint group);

/* --- probes.c: probed messages --- */

/* Find a probed message that matches, and remove it from the list. @return its token; 0: there is none */
guint64 hiera_mpi_take_probed(HieraWorld *world, guint32 rank, guint group, gint32 source, gint32 tag);
/* Receive a probed message into a buffer; it is complete with a request, or (NULL) at the end of the call. */
void hiera_mpi_receive_probed(HieraWorld *world, guint32 rank, HieraOpenRequest *request, guint64 token,
                              const HieraMpiData *data);

/* --- requests.c: requests of the program --- */

/* Make a request for the rank's call, and write its handle to the call's output argument. */
HieraOpenRequest *hiera_mpi_open_request(HieraWorld *world, guint32 rank);
void hiera_mpi_request_free(gpointer request);
/* Add an operation to a request, or to the call if `request` is NULL. It begins now unless the request is persistent.
 */
void hiera_mpi_add_part(HieraWorld *world, guint32 rank, HieraOpenRequest *request, HieraSimOperation operation,
                        const HieraMpiData *data);

/* --- gatherings.c, collectives.c: collectives --- */

void hiera_gathering_free(gpointer gathering);
/* Return the number of collectives that the process has begun in a group so far, and increase it by one. */
guint64 hiera_world_turn(HieraCurrentCall *call, guint group);
void hiera_share_free(HieraContribution *share);
HieraContribution *hiera_share_new(guint group);
/* Enter a collective with the data that the member sends; leave it, which writes the data that the member receives. */
void hiera_gathering_enter(HieraWorld *world, guint32 rank, HieraContribution *share);
void hiera_gathering_leave(HieraWorld *world, guint32 rank, HieraContribution *share);
/* Begin the collective of a non-blocking or persistent request. */
void hiera_mpi_start_collective(HieraWorld *world, guint32 rank, HieraOpenRequest *request);
/* Return the data that the call sends to, or receives from, the i-th member, by its arguments. */
HieraMpiData hiera_mpi_part(HieraWorld *world, guint32 rank, gboolean sends, guint64 i);
/* Reduce: to = operation(to, from), element by element. @return FALSE: the operation or type is not known */
gboolean hiera_mpi_combine(HieraWorld *world, guint32 rank, HieraKnownBytes *to, const HieraKnownBytes *from,
                           guint64 type, guint64 operation);
/* Return the number of the member's new group in a split that all members have entered. */
guint hiera_gathering_group(HieraWorld *world, HieraContribution *share);
