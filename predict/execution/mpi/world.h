/* All processes of a run, and the state between them: communicators, messages with their contents, collectives,
 * windows. It feeds the simulator. */
#pragma once

#include "execution/walk/process.h"
#include "functions.h"

/* Indices of groups: MPI_COMM_WORLD; MPI_COMM_SELF of rank 0, followed by those of other ranks. */
enum { HIERA_WORLD = 0, HIERA_SELF = 1, HIERA_MOST_DIMENSIONS = 8 };
/* Group numbers for messages between leaders, and for messages of neighbourhood collectives (plus the group's own
 * number). No group of the program has such numbers. */
enum { HIERA_LEADERS = 0x40000000, HIERA_NEIGHBOURS = 0x40000001 };

/* --- types and data --- */

/* A block of contiguous bytes of an element of a type. */
typedef struct {
    gint64 at, n;
} HieraTypeBlock;

typedef struct {
    gint64 size, low, extent, alignment;
    GArray *blocks; /* HieraTypeBlock, in the order of the type; NULL: not known, or too many */
} HieraMpiType;

/* Place and type of data in the memory of a process. */
typedef struct {
    HieraKnown address;
    guint64 count;
    const HieraMpiType *type; /* NULL: not known */
    gint64 bytes;             /* size of all data; an assumption if the type is not known */
} HieraMpiData;

/* --- groups: communicators, MPI's groups, windows, and files --- */

/* Neighbours of a member. */
typedef struct {
    GArray *in, *out; /* gint32: members; below 0: none */
} HieraMemberEdges;

/* The part of a window that a member exposes. */
typedef struct {
    guint64 base, unit;
    gboolean known;
    GArray *exposed, *accessed; /* guint32: ranks in MPI_COMM_WORLD, of MPI_Win_post and MPI_Win_start */
} HieraWindowPart;

typedef struct {
    GArray *ranks; /* guint32: rank in MPI_COMM_WORLD of each member; shared with other groups */
    gint32 n_dimensions, dimensions[HIERA_MOST_DIMENSIONS], periods[HIERA_MOST_DIMENSIONS];
    gboolean is_inter;
    guint remote, both;           /* intercommunicator: group of the other side, and group of both sides */
    HieraMemberEdges *neighbours; /* by member; NULL: no graph */
    HieraWindowPart *window;      /* by member; NULL: no window */
} HieraGroupOfRanks;

/* --- messages --- */

/* A message until it is received, or a receive until its call is complete. */
typedef struct {
    HieraKnownBytes *bytes; /* contents of a message, or of a probed one; NULL: not known */
    guint64 n;              /* size in bytes */
    gint32 source, tag;     /* for a receive: below 0 until it is matched. `source`: rank in MPI_COMM_WORLD */
    guint32 dest, group;    /* for a message; `group`, its communicator, also for a receive */
    HieraMpiData to;        /* for a receive: its buffer */
    gboolean keeps;         /* the receive is a probe: it keeps the bytes */
} HieraParcel;

/* A complete receive. */
enum { HIERA_RECEIVED_NOTHING = -1, HIERA_RECEIVED_OF_NOBODY = -2 /* from MPI_PROC_NULL */ };
typedef struct {
    gint32 source, tag; /* source: rank in its communicator, or one of the above */
    guint64 n;
} HieraReceived;

/* A request that a call has completed. */
typedef struct {
    guint64 handle;
    HieraReceived received;
} HieraCompletedRequest;

/* A message that was probed and will be received later. */
typedef struct {
    guint64 token;   /* token of the internal receive */
    guint64 message; /* handle of a matched probe; 0: any receive may take the message */
    guint32 group;
} HieraProbedMessage;

/* --- collectives --- */

/* Data that a member sends to and receives from a collective. */
typedef struct HieraGathering HieraGathering;
typedef struct {
    HieraGathering *gathering; /* NULL: none */
    guint group, member, root; /* root: index of the member */
    HieraSimCollective what;
    gboolean exclusive;      /* SCAN: exclusive */
    gboolean moves;          /* data are transferred */
    HieraMpiData from;       /* data for BROADCAST, SCAN and reductions */
    GArray *pieces, *slots;  /* HieraMpiData. pieces: data for each member, or for all; slots: buffers for the data from
                                each member, or from one */
    guint64 type, operation; /* reductions: handles */
    gint64 bytes;            /* size for the simulator */
    guint64 turn;
} HieraContribution;

/* A collective that not all members have left yet. */
struct HieraGathering {
    HieraKnownBytes **given; /* by member: all its pieces, one after the other */
    guint64 **ends;          /* by member: end of each piece */
    guint *n_ends;           /* by member: number of pieces */
    gint64 *color, *key;     /* split: by member */
    GArray **edges;          /* graph: gint32, by member: pairs of members */
    HieraWindowPart *window; /* by member: its part of the window */
    guint *new_group;        /* split: new group by member, once all have entered; otherwise NULL */
    guint32 n, n_left;
};

/* A leader that makes one side of an intercommunicator. */
typedef struct {
    guint group;
    guint32 rank, other; /* rank of the leader, and of that of the other side */
    guint made;          /* group of its side; 0: the other leader has not arrived */
} HieraLeader;

/* --- requests --- */

/* An operation of a request. */
typedef struct {
    HieraSimOperation operation; /* its `request` is that of the simulator */
    HieraMpiData data;
    guint group; /* group of the call that made it */
} HieraRequestPart;

typedef struct {
    gboolean persistent, is_active;
    gboolean is_done;         /* a call has waited for it, but left it open */
    GArray *parts;            /* HieraRequestPart: sends, receives, accesses to windows */
    HieraContribution *share; /* collective: its data; NULL: none */
    HieraSimOperation collective;
    guint64 n_partitions, n_ready; /* partitioned send, which begins when all are ready; 0: not partitioned */
    guint64 probed;                /* token of the probed message that it receives; 0: none */
    gboolean of_nobody;            /* the request is a receive from MPI_PROC_NULL */
} HieraOpenRequest;

/* The MPI call that a process executes, and MPI state of the process. */
typedef struct {
    GArray *queue; /* HieraSimOperation: operations of the call */
    guint at;      /* index of the first operation that is not done */
    gboolean is_open, fortran;
    const HieraMpiFunction *function;
    const char *name;
    guint group;
    GArray *tokens;           /* guint64: tokens of blocking receives */
    GArray *requests;         /* guint64: simulator requests to wait for */
    GArray *handles;          /* guint64: handles of the program's requests */
    GArray *places;           /* guint64: addresses of these handles, 0: not known */
    GArray *completed;        /* guint64: simulator requests that are complete */
    GArray *over;             /* HieraCompletedRequest: requests of the program that the call completes */
    HieraReceived received;   /* the last message that the call receives or finds */
    guint64 opened;           /* the request that the call makes; 0: none */
    HieraContribution *share; /* data of a blocking collective; NULL: none */
    guint made;               /* group that the call makes */
    guint64 side;             /* key in `leaders`, if the call makes an intercommunicator */
    guint64 probe;            /* token of the probed message; 0: none */
    gboolean found;           /* result of a probe that does not wait */
    gint64 polled_ps;         /* time of failed probes so far */
    guint64 next_request;
    gboolean is_inside;     /* the process is after MPI_Init and before MPI_Finalize */
    gboolean has_begun;     /* the begin of the call was reported to the follower */
    gint64 now_ps;          /* end of the last operation of the process */
    gdouble computed;       /* cycles of the current computation */
    GHashTable *open;       /* handle, as guint64 → HieraOpenRequest */
    GArray *turns;          /* guint64, by group: number of collective calls so far */
    GArray *probed;         /* HieraProbedMessage, in order of arrival */
    GPtrArray *freed_types; /* HieraMpiType: freed by the program, but open requests may need them */
    guint64 n_sent, n_received, bytes_sent, bytes_received, n_collectives;
    gint64 wait_ps;
    guint32 serial;
} HieraCurrentCall;

/* Size in bytes of the largest predefined type that can be requested by size. */
enum { HIERA_MPI_LARGEST_NAMED = 32 };

/* Callbacks that report the actions of each process, in order. Times are those of the simulated run. */
typedef struct {
    /* A function that process.h records is entered (moves.c); the innermost one is left.
     * @param from  the vertex that calls it; HIERA_NO_VERTEX: the caller is not simulated */
    void (*enters)(gpointer user, guint32 rank, guint graph, guint from, gint64 ps);
    void (*leaves)(gpointer user, guint32 rank, gint64 ps);
    /* A process reaches a call: its arguments hold the input. The time is reported when it is known. */
    void (*calls)(gpointer user, HieraWorld *world, guint32 rank);
    void (*begins)(gpointer user, guint32 rank, gint64 ps);
    /* A call is complete: its arguments point to the output. */
    void (*returns)(gpointer user, HieraWorld *world, guint32 rank, gint64 ps);
    gpointer user;
} HieraWorldFollower;

struct HieraWorld {
    const HieraExecution *execution;
    const HieraWalkOptions *options;
    HieraMpiFunctions functions;
    HieraProcess **processes;
    HieraCurrentCall *calls; /* state of each process, by rank */
    GPtrArray *groups;       /* HieraGroupOfRanks */
    GHashTable *lists; /* GArray: ranks of a group → number of a group with only these ranks and no other properties */
    GPtrArray *types;  /* HieraMpiType: types made by the program; NULL: not known, or freed */
    GArray *free_types; /* guint: indices of freed types */
    guint64 named_types[HIERA_MPI_LARGEST_NAMED +
                        1]; /* by size: handle of the type that a program has requested; 0: none */
    GHashTable *predefined; /* size and extent, as guint64 → HieraMpiType */
    GHashTable *messages;   /* token → HieraParcel: messages on their way */
    GHashTable *receives;   /* token → HieraParcel: posted receives */
    GHashTable *gatherings; /* group and turn, as guint64 → HieraGathering */
    GHashTable *leaders;    /* group and turn of a side, as guint64 → HieraLeader */
    GHashTable *tags;       /* vertex of a call → last tag that was used there for a send */
    GHashTable *notes;      /* texts: assumptions made */
    guint n_handles;        /* number of handles that were made and are not tracked */
    gboolean is_openmpi;
    gboolean gave_up; /* a process walked for too long: the others need not continue */
    HieraLoopFacts *facts;
    const HieraWorldFollower *follower; /* callbacks; NULL: none */
    guint32 n;
};

/* @param follower  callbacks; NULL: none */
void hiera_world_init(HieraWorld *world, const HieraExecution *execution, const HieraWalkOptions *options,
                      const HieraWorldFollower *follower);
void hiera_world_clear(HieraWorld *world);
/* Return the callbacks for the simulator. */
HieraSimFeeder hiera_world_feeder(HieraWorld *world);
/* Return the key of a message or receive, from the rank and token of its operation. */
guint64 hiera_parcel_key(guint32 rank, guint64 token);
/* Return the vertex of the operation with a token. */
guint hiera_world_vertex(guint64 token);
/* Note an assumption. */
void hiera_world_note(HieraWorld *world, const char *format, ...) G_GNUC_PRINTF(2, 3);
HieraKnownMemory *hiera_world_memory(const HieraWorld *world, guint32 rank);

/* --- calls.c --- */

/* Begin an MPI call that a process has reached: append its operations. */
void hiera_mpi_begin(HieraWorld *world, guint32 rank);
/* End a call, after its operations: write its results to memory. */
void hiera_mpi_end(HieraWorld *world, guint32 rank);

/* --- arguments.c --- */

/* Whether the function has a parameter with this name. */
gboolean hiera_mpi_has(const HieraCurrentCall *call, HieraMpiName name);
/* Arguments of the current call of a rank: an integer of any width, sign-extended; a handle; a pointer. */
HieraKnown hiera_mpi_integer(HieraWorld *world, guint32 rank, HieraMpiName name);
HieraKnown hiera_mpi_handle(HieraWorld *world, guint32 rank, HieraMpiName name);
HieraKnown hiera_mpi_pointer(HieraWorld *world, guint32 rank, HieraMpiName name);
/* Return the number of elements of an array, as far as it is known; 1 for a parameter that is no array. */
guint64 hiera_mpi_count_elements(HieraWorld *world, guint32 rank, const HieraMpiParameter *parameter);
/* Return an element of an array of integers or handles. */
HieraKnown hiera_mpi_element(HieraWorld *world, guint32 rank, HieraMpiName name, guint64 i);
/* Return a C string; NULL: not known. To be freed. */
char *hiera_mpi_text(HieraWorld *world, guint32 rank, HieraMpiName name);
/* Write a result, or an element of one. */
void hiera_mpi_write(HieraWorld *world, guint32 rank, HieraMpiName name, gboolean known, guint64 bits);
void hiera_mpi_write_element(HieraWorld *world, guint32 rank, HieraMpiName name, guint64 i, gboolean known,
                             guint64 bits);
/* Make the results of the call unknown, apart from data. @param all  also arguments that it reads first */
void hiera_mpi_forget_results(HieraWorld *world, guint32 rank, gboolean all);
/* Return the width of handles in memory. */
guint hiera_mpi_handle_width(const HieraWorld *world, const HieraCurrentCall *call);
/* Values of MPI_PROC_NULL, MPI_ANY_SOURCE, MPI_UNDEFINED. */
gint32 hiera_mpi_no_process(const HieraWorld *world);
gint32 hiera_mpi_any_source(const HieraWorld *world);
enum { HIERA_MPI_UNDEFINED = -32766 };
/* Return the size in bytes of MPI_Status. */
guint hiera_mpi_status_width(const HieraWorld *world);
/* Whether an address is MPI_IN_PLACE. */
gboolean hiera_mpi_is_in_place(HieraWorld *world, guint32 rank, HieraKnown address);
/* Values of MPI_REQUEST_NULL, MPI_MESSAGE_NULL. */
guint64 hiera_mpi_no_request(HieraWorld *world, guint32 rank);
guint64 hiera_mpi_no_message(HieraWorld *world, guint32 rank);

/* --- types.c --- */

void hiera_mpi_type_free(gpointer type);
/* Return the type of a handle; NULL: not known. */
const HieraMpiType *hiera_mpi_type(HieraWorld *world, guint32 rank, guint64 handle);
/* Data described by arguments, or by given values. */
HieraMpiData hiera_mpi_data(HieraWorld *world, guint32 rank, HieraMpiName buffer, HieraMpiName count,
                            HieraMpiName type);
HieraMpiData hiera_mpi_data_of(const HieraWorld *world, HieraKnown address, HieraKnown count, const HieraMpiType *type);
/* Multiply the count of data. */
void hiera_mpi_multiply(const HieraWorld *world, HieraMpiData *data, HieraKnown factor);
/* Copy data without the holes between them; NULL: nothing of them is known. */
HieraKnownBytes *hiera_mpi_pack(HieraWorld *world, guint32 rank, const HieraMpiData *data);
/* Write n bytes, from offset `from` of `bytes`, to the place of data. @param bytes  NULL: not known */
void hiera_mpi_unpack(HieraWorld *world, guint32 rank, const HieraMpiData *data, const HieraKnownBytes *bytes,
                      guint64 from, guint64 n);

/* --- communicators.c --- */

HieraGroupOfRanks *hiera_world_group(const HieraWorld *world, guint group);
guint hiera_world_add_group(HieraWorld *world, const guint32 *ranks, guint n);
/* Find or make a group that is only its ranks: there is one for each list of ranks. */
guint hiera_world_find_group(HieraWorld *world, const guint32 *ranks, guint n);
GHashTable *hiera_world_lists_new(void);
void hiera_world_group_free(gpointer group);
/* Return the index of a rank in the group, HIERA_NO_VERTEX if it is no member. */
guint hiera_group_member(const HieraGroupOfRanks *group, guint32 rank);
/* Return the group of a handle in an argument: a communicator, group, window or file; MPI_COMM_WORLD's if it is not
 * known. */
guint hiera_mpi_group(HieraWorld *world, guint32 rank, HieraMpiName name);
guint hiera_mpi_group_of_handle(HieraWorld *world, guint32 rank, HieraKnown handle);
guint64 hiera_mpi_group_handle(guint group);
/* Value of MPI_COMM_NULL. */
guint64 hiera_mpi_no_communicator(HieraWorld *world, guint32 rank);
/* Return the group of the call: that of its communicator, window or file. */
guint hiera_mpi_group_of_call(HieraWorld *world, guint32 rank);

/* --- messages.c --- */

/* Return a new token for an operation of the current call. */
guint64 hiera_mpi_new_token(const HieraWorld *world, guint32 rank);
void hiera_mpi_append(HieraCurrentCall *call, HieraSimOperation operation);
/* Append a send, which waits until it may use the network. */
void hiera_mpi_append_send(HieraWorld *world, guint32 rank, HieraSimOperation operation);
/* Append a wait for call->requests. */
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
/* Complete a receive: write its status and data. */
void hiera_mpi_end_receive(HieraWorld *world, guint32 rank, guint64 token, guint64 status);
/* Write a status. @param at  its address; 0: none is wanted */
void hiera_mpi_write_status(HieraWorld *world, guint32 rank, guint64 at, const HieraParcel *received);
/* Write the status of a receive from MPI_PROC_NULL. */
void hiera_mpi_write_status_of_nobody(HieraWorld *world, guint32 rank, guint64 at);
/* Return the address of the i-th status of the call; 0: not known, or not wanted. */
guint64 hiera_mpi_status_at(HieraWorld *world, guint32 rank, guint64 i);

/* Return the number of a communicator in the simulator's messages. */
guint hiera_mpi_group_of_messages(const HieraWorld *world, guint group);

/* --- probes.c --- */

/* Take a matching message that was probed. @return its token, 0: there is none */
guint64 hiera_mpi_take_probed(HieraWorld *world, guint32 rank, guint group, gint32 source, gint32 tag);
/* Receive the probed message, by a request or at the end of the call. */
void hiera_mpi_receive_probed(HieraWorld *world, guint32 rank, HieraOpenRequest *request, guint64 token,
                              const HieraMpiData *data);

/* --- requests.c --- */

/* Make a request for the call, and write its handle where the call returns it. */
HieraOpenRequest *hiera_mpi_open_request(HieraWorld *world, guint32 rank);
void hiera_mpi_request_free(gpointer request);
/* Add an operation to a request, or to the call if `request` is NULL. It begins now unless the request is persistent.
 */
void hiera_mpi_add_part(HieraWorld *world, guint32 rank, HieraOpenRequest *request, HieraSimOperation operation,
                        const HieraMpiData *data);

/* --- gatherings.c, collectives.c --- */

void hiera_gathering_free(gpointer gathering);
/* Return the number of the next collective in a group, and count it. */
guint64 hiera_world_turn(HieraCurrentCall *call, guint group);
void hiera_share_free(HieraContribution *share);
HieraContribution *hiera_share_new(guint group);
/* Enter a collective with the data to send; leave it with the data received. */
void hiera_gathering_enter(HieraWorld *world, guint32 rank, HieraContribution *share);
void hiera_gathering_leave(HieraWorld *world, guint32 rank, HieraContribution *share);
/* Begin the collective of a request. */
void hiera_mpi_start_collective(HieraWorld *world, guint32 rank, HieraOpenRequest *request);
/* Return the data to or from the i-th member, by the arguments of the call. */
HieraMpiData hiera_mpi_part(HieraWorld *world, guint32 rank, gboolean sends, guint64 i);
/* Combine data in place. @return FALSE: the operation or type is not known */
gboolean hiera_mpi_combine(HieraWorld *world, guint32 rank, HieraKnownBytes *to, const HieraKnownBytes *from,
                           guint64 type, guint64 operation);
/* Return the new group of a split, once all have entered. */
guint hiera_gathering_group(HieraWorld *world, HieraContribution *share);
