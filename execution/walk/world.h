/* All processes of a run, and what is between them: communicators, messages with what is in them, collectives. It feeds
 * the simulator. */
#ifndef HIERA_EXECUTION_WORLD_H
#define HIERA_EXECUTION_WORLD_H

#include "mpi_table.h"
#include "process.h"

enum { HIERA_WORLD = 0, HIERA_SELF = 1, HIERA_MOST_DIMENSIONS = 8 };

/* A communicator. */
typedef struct {
    GArray *ranks; /* guint32: of MPI_COMM_WORLD, by rank in it */
    gint32 n_dimensions, dimensions[HIERA_MOST_DIMENSIONS], periods[HIERA_MOST_DIMENSIONS];
} HieraGroupOfRanks;

/* A message, until it is received; or a receive, until its call is over. */
typedef struct {
    HieraKnownBytes *bytes; /* of a message; NULL: nothing is known */
    guint64 address, n;     /* of a receive: where it goes; n of a message that was received */
    gint32 source, tag;
} HieraParcel;

/* A collective that not all members have left. */
typedef struct {
    HieraKnownBytes **given; /* by member */
    gint64 *color, *key;     /* of a split, by member */
    guint *new_group;        /* of a split, by member, once all have entered; or NULL */
    guint32 n, n_left;
} HieraGathering;

/* The MPI call that a process is in. */
typedef struct {
    GArray *queue; /* HieraSimOperation: what is left of it to do; */
    guint at;      /* the first of them that is not done */
    gboolean is_open, fortran;
    const HieraMpiFunction *function;
    const char *name;
    guint group, root; /* member */
    gint64 bytes;
    guint64 type;      /* handle */
    guint64 receive;   /* token, or 0 */
    GArray *requests;  /* guint64: that it waits for, */
    GArray *places;    /* guint64: where their handles are, */
    GArray *completed; /* guint64: those that are complete */
    guint64 turn;      /* of a collective */
    guint made;        /* group that it makes */
    HieraGathering *gathering;
    guint64 next_request;
    GHashTable *open; /* number of a request, as guint64 → HieraOpenRequest */
    GArray *turns;    /* guint64, by group */
    guint64 n_sent, n_received, bytes_sent, bytes_received, n_collectives;
    gint64 wait_ps;
    guint32 serial;
} HieraMpiCall;

typedef struct {
    guint64 receive; /* token of a receive, or 0 */
    gboolean persistent, is_active;
    HieraSimOperation operation; /* of a persistent one */
    guint64 address, n;
} HieraOpenRequest;

typedef struct {
    const HieraExecution *execution;
    const HieraWalkOptions *options;
    HieraProcess **processes;
    HieraMpiCall *calls;    /* by rank */
    GPtrArray *groups;      /* HieraGroupOfRanks */
    GArray *types;          /* gint64: sizes of types that the program makes */
    GHashTable *messages;   /* token → HieraParcel */
    GHashTable *receives;   /* token → HieraParcel */
    GHashTable *gatherings; /* group and turn, as guint64 → HieraGathering */
    GHashTable *notes;      /* texts: what was assumed */
    gboolean is_openmpi;
    gboolean gave_up; /* a process walked for too long: the others need not go on */
    HieraLoopFacts *facts;
    guint32 n;
} HieraWorld;

void hiera_world_init(HieraWorld *world, const HieraExecution *execution, const HieraWalkOptions *options);
void hiera_world_clear(HieraWorld *world);
/* What asks the world. */
HieraSimFeeder hiera_world_feeder(HieraWorld *world);
/* The key of a message or receive, by the rank and token of its operation. */
guint64 hiera_parcel_key(guint32 rank, guint64 token);
/* The vertex of the operation with a token. */
guint hiera_world_vertex(guint64 token);
/* Note something that had to be assumed. */
void hiera_world_note(HieraWorld *world, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* --- mpi_calls.c --- */

/* A process has come to an MPI call: append its operations. */
void hiera_mpi_begin(HieraWorld *world, guint32 rank);
/* They are done: what the call leaves in memory. */
void hiera_mpi_end(HieraWorld *world, guint32 rank);

/* --- mpi_messages.c --- */

/* A token for an operation of the call that a process is in. */
guint64 hiera_mpi_new_token(const HieraWorld *world, guint32 rank);
void hiera_mpi_append(HieraMpiCall *call, HieraSimOperation operation);
/* MPI_PROC_NULL. */
gint32 hiera_mpi_no_process(const HieraWorld *world);
/* Bytes of so many elements of a type; -1: not known. What is taken instead. */
gint64 hiera_mpi_find_bytes(HieraWorld *world, guint32 rank, gint8 count, gint8 type);
gint64 hiera_mpi_bytes_or_default(HieraWorld *world, gint64 bytes);
/* Keep what is in a message until it is received; where a receive wants it. */
void hiera_mpi_keep_message(HieraWorld *world, guint32 rank, guint64 token, HieraKnown from, gint64 bytes, gint32 tag);
void hiera_mpi_keep_receive(HieraWorld *world, guint32 rank, guint64 token, HieraKnown to, gint64 bytes);
/* Make a request. @param number  becomes its number */
HieraOpenRequest *hiera_mpi_open_request(HieraWorld *world, guint32 rank, guint64 *number);
void hiera_mpi_begin_send(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_receive(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_exchange(HieraWorld *world, guint32 rank);

/* --- mpi_requests.c --- */

void hiera_mpi_begin_start(HieraWorld *world, guint32 rank);
void hiera_mpi_begin_wait(HieraWorld *world, guint32 rank);
void hiera_mpi_end_wait(HieraWorld *world, guint32 rank);
/* A receive is over: its status, and what was kept of it. */
void hiera_mpi_end_receive(HieraWorld *world, guint32 rank, guint64 token, HieraKnown status);

/* --- mpi_grids.c --- */

void hiera_mpi_describe_grid(HieraWorld *world, guint32 rank);
void hiera_mpi_shift_in_grid(HieraWorld *world, guint32 rank);
void hiera_mpi_write_coordinates(HieraWorld *world, guint32 rank);
void hiera_mpi_write_member(HieraWorld *world, guint32 rank);
void hiera_mpi_create_dimensions(HieraWorld *world, guint32 rank);

/* --- mpi_handles.c --- */

/* An argument, by its place: an integer or a handle; a pointer. */
HieraKnown hiera_mpi_integer(HieraWorld *world, guint32 rank, gint8 place);
HieraKnown hiera_mpi_handle(HieraWorld *world, guint32 rank, gint8 place);
HieraKnown hiera_mpi_pointer(HieraWorld *world, guint32 rank, gint8 place);
/* Bytes of a type; -1: not known. */
gint64 hiera_mpi_type_size(HieraWorld *world, guint64 handle);
/* Number of a group; that of all ranks if it is not known. */
guint hiera_mpi_group(HieraWorld *world, guint32 rank, gint8 place);
/* Width of handles in memory. */
guint hiera_mpi_handle_width(const HieraWorld *world, const HieraMpiCall *call);
/* The handle of a group or type that the program makes; of no request. */
guint64 hiera_mpi_group_handle(guint group);
guint64 hiera_mpi_type_handle(HieraWorld *world, gint64 size);
guint64 hiera_mpi_no_request(HieraWorld *world, guint32 rank);
/* Write where the n-th argument points to. */
void hiera_mpi_write(HieraWorld *world, guint32 rank, gint8 place, guint width, gboolean known, guint64 bits);
HieraGroupOfRanks *hiera_world_group(const HieraWorld *world, guint group);
guint hiera_world_add_group(HieraWorld *world, const guint32 *ranks, guint n);
/* Its member, HIERA_NO_VERTEX if a rank is none. */
guint hiera_group_member(const HieraGroupOfRanks *group, guint32 rank);

/* --- gatherings.c --- */

/* A member enters a collective, with what it gives; and leaves, with what it gets. */
void hiera_gathering_enter(HieraWorld *world, guint32 rank);
void hiera_gathering_leave(HieraWorld *world, guint32 rank);
void hiera_gathering_free(gpointer gathering);

#endif
