/** Simulates a parallel run: from operations with dependences, and a machine, it computes times.
 *
 * This hides the events, their order, matching, and message protocols. Operations come from a feeder, which returns the
 * next operation of a rank when the one before is done, so that memory grows with open objects (messages not yet
 * received, requests not yet completed), not with the run.
 *
 * The simulation is deterministic: the same operations on the same machine take the same times. Events at the same time
 * happen in the order in which they became known. */
#pragma once

#include "machine.h"

/** Error domain and codes of the simulator. */
#define HIERA_SIMULATOR_ERROR hiera_simulator_error_quark()
typedef enum {
    HIERA_SIMULATOR_ERROR_MACHINE,   /* the description of the machine is not valid */
    HIERA_SIMULATOR_ERROR_OPERATION, /* an operation is not valid; the message names its rank and token. Also if the run
                                        takes longer than HIERA_SIM_LONGEST_PS */
    HIERA_SIMULATOR_ERROR_DEADLOCK   /* ranks wait for each other, or for one that has ended; the result says which */
} HieraSimulatorError;

/** Return the error domain HIERA_SIMULATOR_ERROR. */
GQuark hiera_simulator_error_quark(void);

/** Longest time of a simulated run: 26 days. */
#define HIERA_SIM_LONGEST_PS (G_MAXINT64 / 4)
/** Value for no rank, or no request. */
#define HIERA_SIM_NONE G_MAXUINT32
/** Wildcard of a receive: messages of any rank, or with any tag. */
#define HIERA_SIM_ANY (-1)

/** Kinds of operations: X(identifier, name). */
#define HIERA_SIM_KINDS(X)                                                                                             \
    X(COMPUTE, "compute")       /* the CPU works for `duration_ps`, divided by the factors on its speed */             \
    X(DELAY, "delay")           /* `duration_ps` pass, whatever the machine: for example a file is read */             \
    X(SEND, "send")             /* send of a message */                                                                \
    X(RECEIVE, "receive")       /* receive of a message */                                                             \
    X(WAIT, "wait")             /* wait until requests are complete */                                                 \
    X(COLLECTIVE, "collective") /* collective of all members of a communicator, in the same order on each */           \
    X(PUT, "put")               /* write or accumulate into the window of another rank; does not wait */               \
    X(GET, "get")               /* read from the window of another rank; does not wait */                              \
    X(FLUSH, "flush")       /* wait until the rank's accesses to one or all ranks of a window are complete there */    \
    X(FENCE, "fence")       /* FLUSH, then a BARRIER of the window's communicator */                                   \
    X(LOCK, "lock")         /* wait for a lock of another rank's window */                                             \
    X(UNLOCK, "unlock")     /* FLUSH, then release the lock */                                                         \
    X(POST, "post")         /* expose the rank's window to `peers`; does not wait */                                   \
    X(START, "start")       /* wait until all `peers` have exposed their windows to the rank */                        \
    X(COMPLETE, "complete") /* FLUSH of all accesses, then tell `peers` that they have ended */                        \
    X(EXPOSED, "exposed")   /* wait until all `peers` have ended their accesses to the rank's window */                \
    X(GATE, "gate")         /* add `adds` to the count of a gate, wait until it is at least `needs`, and take `takes`  \
                               from it, in the order in which ranks came; then `duration_ps` pass without a core */
typedef enum {
#define X(identifier, name) HIERA_SIM_##identifier,
    HIERA_SIM_KINDS(X)
#undef X
        HIERA_SIM_N_KINDS
} HieraSimKind;

/** Mode of a send: when it is done, and whether its message may wait for the receive. */
typedef enum {
    HIERA_SIM_STANDARD,    /* eager up to the network's eager_bytes, rendezvous above */
    HIERA_SIM_SYNCHRONOUS, /* always rendezvous */
    HIERA_SIM_BUFFERED,    /* transfer as for STANDARD, but the send is done at once */
    HIERA_SIM_READY        /* always eager: the program guarantees that the receive is posted */
} HieraSimMode;

/** When a WAIT ends. */
typedef enum {
    HIERA_SIM_ALL, /* when all requests are complete */
    HIERA_SIM_ONE, /* one request is complete: the first to complete, or of several the first in the list. The others
                      stay open */
    HIERA_SIM_SOME /* when one request is complete; all that are complete at that time are taken */
} HieraSimUntil;

/** An operation of a rank. Fields that its kind does not use are ignored. */
typedef struct {
    HieraSimKind kind;
    HieraSimMode mode;             /* for SEND */
    HieraSimUntil until;           /* for WAIT */
    HieraSimCollective collective; /* for COLLECTIVE */
    gboolean shared;               /* for LOCK: others may hold shared locks at the same time; FALSE: exclusive */
    guint32 class;                 /* for COMPUTE: index in the machine's class_speed */
    gint32 peer; /* SEND: destination; RECEIVE: source, or HIERA_SIM_ANY; COLLECTIVE: its root, if it has one; PUT, GET:
                    owner of the window; FLUSH, LOCK, UNLOCK: likewise, or HIERA_SIM_ANY for all. A LOCK of all is
                    shared, does not wait, and no other lock waits for it */
    gint32 tag;  /* SEND, RECEIVE: tag of the message, not negative; RECEIVE: or HIERA_SIM_ANY */
    guint32 group; /* number of the operation's communicator or window, below 2^31; a window has no number of a
                      communicator */
    gint64 bytes;  /* SEND, PUT, GET: size of the data; COLLECTIVE: see HIERA_SIM_COLLECTIVES. If members give different
                      sizes, each sends its own */
    gint64 duration_ps; /* for COMPUTE, DELAY, GATE */
    guint32 gate;       /* GATE: number of the gate; memory grows with the greatest one. Counts begin with 0 */
    guint32 adds, needs, takes;
    guint64 key; /* SEND, RECEIVE: if it is not 0, the message is received by the receive with the same key, and tag and
                    communicator are ignored */
    guint64 request; /* SEND, RECEIVE, COLLECTIVE: 0: blocking; otherwise the number of its request, which no other open
                        request of the rank has. PUT, GET: if it is not 0, a request that is complete when the data have
                        left, or arrived; no FLUSH waits for a GET with a request */
    const guint64 *requests; /* WAIT: n_requests requests of this rank; owned by the feeder, valid until the rank's next
                                operation is requested. Each may occur once */
    guint32 n_requests;
    const guint32 *peers; /* POST, START, COMPLETE, EXPOSED: n_peers ranks; owned by the feeder, valid until the rank's
                             next operation */
    guint32 n_peers;
    guint64 token; /* any number, by which the feeder knows the operation */
} HieraSimOperation;

/** Simulated times of an operation. A rank's next operation begins when this one ends. */
typedef struct {
    gint64 start_ps, end_ps;
    gint64 waiting_ps; /* part of the operation's duration, in which the rank could only wait until the last rank on
                          which it depended had begun its own operation */
    const guint64 *completed; /* WAIT for one or some: the n_completed requests that it took, in the order of the list;
                                 valid during the call */
    guint32 n_completed;
} HieraSimTimes;

/** Source of the operations, as callbacks: all are called in the thread of hiera_simulate(). */
typedef struct {
    /** Return the next operation of a rank.
     *
     * @param operation  to be filled; initially zero
     * @return false if the rank has ended; then this is not called again for it */
    gboolean (*next)(gpointer context, guint32 rank, HieraSimOperation *operation);
    /** Called for each operation once its end is known: for a rank in order, before its next operation is requested;
     * ends of different ranks are not in order of time. May be NULL. */
    void (*done)(gpointer context, guint32 rank, const HieraSimOperation *operation, const HieraSimTimes *times);
    /** Return the ranks of a communicator, or of a window. Called once for each one that has collectives or fences,
     * when the first one begins. May be NULL if there are none.
     *
     * @param n  receives their number
     * @return   ranks of the machine, each once, by rank in the communicator; owned by the feeder, valid until the
     * simulation ends. NULL: there is no such communicator */
    const guint32 *(*group)(gpointer context, guint32 group, guint32 *n);
    gpointer context;
    /** Receives may be posted with HIERA_SIM_ANY. Messages are then matched when they arrive, in MPI's order, which
     * takes an additional event for each; otherwise such a receive is an error. */
    gboolean wildcards;
    /** Called when a receive is matched with a message: before the receive, or the WAIT for it, is done. May be NULL.
     */
    void (*matched)(gpointer context, guint32 source, guint64 send_token, guint32 dest, guint64 receive_token);
    /** Return what a rank's operation is called in errors, to be freed with g_free. May be NULL: kind and number. */
    char *(*name)(gpointer context, guint32 rank, guint64 token);
} HieraSimFeeder;

/** Sums of a rank's simulated times. end_ps = compute_ps + delay_ps + mpi_ps. */
typedef struct {
    gint64 end_ps;
    gint64 compute_ps;           /* time in operations of kind COMPUTE */
    gint64 delay_ps;             /* time in operations of kind DELAY and GATE */
    gint64 mpi_ps;               /* time in all other operations */
    gint64 waiting_ps;           /* part of mpi_ps in which the rank waits for others; see HieraSimTimes */
    gint64 sending_ps;           /* time in which the rank's adapter sends data, also of collectives */
    guint64 n_messages, n_bytes; /* messages sent by operations of kind SEND, and their bytes */
} HieraSimRank;

/** A rank that waits forever, and the operation in which it waits. */
typedef struct {
    guint32 rank;
    HieraSimKind kind;
    guint64 token;
    guint32 waits_for; /* rank for which this one waits: that of the next element */
} HieraSimStuck;

typedef struct {
    gint64 end_ps;       /* time at which the last rank ends */
    HieraSimRank *ranks; /* by rank: sums of its times */
    guint32 n_ranks;
    guint64 n_operations, n_events;
    guint64 most_open; /* greatest number of messages and requests that were open at the same time */
    /** For a deadlock: each rank waits for the next one. The last one waits for the first if it is a cycle; otherwise
     * for a rank that has ended. Empty if there is no deadlock. */
    HieraSimStuck *stuck;
    guint32 n_stuck;
    gboolean circle;
} HieraSimResult;

/** Simulate a run. O(log(ranks + open)) for each operation.
 *
 * @param machine  valid during the call
 * @param feeder   valid during the call
 * @param result   receives the results, after a deadlock too: how far each rank came. To be cleared with
 * hiera_sim_result_clear in any case
 * @param error    HIERA_SIMULATOR_ERROR_…
 * @return whether all ranks have ended */
gboolean hiera_simulate(const HieraMachine *machine, const HieraSimFeeder *feeder, HieraSimResult *result,
                        GError **error);

/** Free what a result owns, not the result itself. */
void hiera_sim_result_clear(HieraSimResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HieraSimResult, hiera_sim_result_clear)

/** Return the duration of a collective in one step. All members of BARRIER, ALLREDUCE, ALLGATHER, REDUCE_SCATTER and
 * ALLTOALL leave this long after the last one has entered; of BROADCAST and SCATTER, each member except the root this
 * long after both the root and itself have entered, while the root only pays o; of REDUCE and GATHER, the root this
 * long after the last one, while the others pay o; of SCAN, each member this long after the last one of itself and
 * those before it has entered.
 *
 * With r = ceil(log2 n) and w = o + L + o: r w for BARRIER; r (w + k G) for BROADCAST, REDUCE, ALLREDUCE and SCAN; r w
 * + (n - 1) k G for GATHER, SCATTER, ALLGATHER and REDUCE_SCATTER; w + (n - 1) (g + k G) for ALLTOALL; for each k G the
 * `extra` of the size as well. Source: the bounds of Thakur, Rabenseifner, Gropp 2005, with LogGP's parameters.
 *
 * @param n        number of members; with one member the time is 0
 * @param network  network between hosts if the members are on several of them */
gint64 hiera_sim_one_step_ps(HieraSimCollective collective, guint32 n, gint64 bytes, const HieraNetwork *network);

/** Return the name of a kind of operations; a constant. */
const char *hiera_sim_kind_name(HieraSimKind kind);
