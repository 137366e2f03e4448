/** Simulating a parallel run: operations with dependences and a machine in, times out.
 *
 * What this hides: the events, their order, matching, the protocols of messages. Where the operations come from is the
 * business of a feeder: it is asked for the next operation of a rank when the one before is done, so that memory grows
 * with what is open (messages that nobody has received, requests that nobody has completed), not with the run.
 *
 * The simulation is deterministic: the same operations on the same machine take the same times. Events at the same time
 * happen in the order in which they became known. */
#ifndef HIERA_SIMULATOR_H
#define HIERA_SIMULATOR_H

#include "machine.h"

/** Errors. */
#define HIERA_SIMULATOR_ERROR hiera_simulator_error_quark()
typedef enum {
    HIERA_SIMULATOR_ERROR_MACHINE,   /* the machine makes no sense */
    HIERA_SIMULATOR_ERROR_OPERATION, /* an operation makes no sense; the message names its rank and token. Also if the
                                        run takes longer than HIERA_SIM_LONGEST_PS */
    HIERA_SIMULATOR_ERROR_DEADLOCK   /* ranks wait for each other; the result says which */
} HieraSimulatorError;

/** The domain itself; see HIERA_SIMULATOR_ERROR. */
GQuark hiera_simulator_error_quark(void);

/** The longest run: 26 days. */
#define HIERA_SIM_LONGEST_PS (G_MAXINT64 / 4)
/** No rank, no request. */
#define HIERA_SIM_NONE G_MAXUINT32
/** A receive takes messages of any rank, or with any tag. */
#define HIERA_SIM_ANY (-1)

/** Kinds of operations: X(identifier, name). */
#define HIERA_SIM_KINDS(X)                                                                                             \
    X(COMPUTE, "compute")       /* the processor works for `duration_ps`, divided by the speeds */                     \
    X(DELAY, "delay")           /* `duration_ps` pass, whatever the machine: input and output, say */                  \
    X(SEND, "send")             /* a message */                                                                        \
    X(RECEIVE, "receive")       /* of a message */                                                                     \
    X(WAIT, "wait")             /* until requests are complete */                                                      \
    X(COLLECTIVE, "collective") /* of all members of a communicator, in the same order on each */                      \
    X(PUT, "put")               /* data to the window of a rank; an accumulate too. It does not wait */                \
    X(GET, "get")               /* data from the window of a rank. It does not wait */                                 \
    X(FLUSH, "flush")           /* until the rank's accesses to one or all ranks of a window are complete there */     \
    X(FENCE, "fence")           /* FLUSH, then a BARRIER of the window's communicator */                               \
    X(LOCK, "lock")             /* of a rank's window */                                                               \
    X(UNLOCK, "unlock")         /* FLUSH, then the lock is given back */                                               \
    X(POST, "post")             /* the window is open to `peers` */                                                    \
    X(START, "start")           /* until the windows of `peers` are open to it */                                      \
    X(COMPLETE, "complete")     /* FLUSH of all, then `peers` are told that it has ended its accesses */               \
    X(EXPOSED, "exposed")       /* until all `peers` have ended their accesses */
typedef enum {
#define X(identifier, name) HIERA_SIM_##identifier,
    HIERA_SIM_KINDS(X)
#undef X
        HIERA_SIM_N_KINDS
} HieraSimKind;

/** When a send is done, and whether its message may wait for the receive. */
typedef enum {
    HIERA_SIM_STANDARD,    /* eager up to the limit of the network, then rendezvous */
    HIERA_SIM_SYNCHRONOUS, /* rendezvous */
    HIERA_SIM_BUFFERED,    /* as STANDARD, but it is done at once */
    HIERA_SIM_READY        /* eager: the receive is known to be posted */
} HieraSimMode;

/** What ends a WAIT. */
typedef enum {
    HIERA_SIM_ALL, /* all requests are complete */
    HIERA_SIM_ONE, /* one is: the one that is complete first, of several the first in the list. The others stay open */
    HIERA_SIM_SOME /* one is; all that are complete then are taken */
} HieraSimUntil;

/** An operation of a rank. Members that its kind does not use are ignored. */
typedef struct {
    HieraSimKind kind;
    HieraSimMode mode;             /* SEND */
    HieraSimUntil until;           /* WAIT */
    HieraSimCollective collective; /* COLLECTIVE */
    gboolean shared;               /* LOCK: others that are shared may have it too; else it is exclusive */
    guint32 class;                 /* COMPUTE: index of a speed of the machine */
    gint32 peer; /* SEND: to which rank; RECEIVE: from which one, or HIERA_SIM_ANY; COLLECTIVE: its root, if it has one;
                    PUT, GET: whose window; FLUSH, LOCK, UNLOCK: likewise, or HIERA_SIM_ANY for all. A LOCK of all is
                    shared and waits for nobody, nor does anybody wait for it */
    gint32 tag;  /* SEND, RECEIVE: not negative, or HIERA_SIM_ANY of a receive */
    guint32 group; /* the communicator or window, below 2^31; the two do not share numbers */
    gint64 bytes;  /* SEND, PUT, GET: of the data; COLLECTIVE: see HIERA_SIM_COLLECTIVES. Where members give different
                      ones, each sends its own */
    gint64 duration_ps; /* COMPUTE, DELAY */
    guint64 key;     /* SEND, RECEIVE: where it is not 0, the message with this key is received by the receive with this
                        key, and tag and communicator are ignored */
    guint64 request; /* SEND, RECEIVE, COLLECTIVE: 0: blocking; else its number, which no open request of the rank has.
                        PUT, GET: if it is not 0, a request that is complete when the data have left, or come; for a GET
                        with it no FLUSH waits */
    const guint64 *requests; /* WAIT: n_requests of them, of this rank; owned by the feeder, valid until the rank's next
                                operation is asked for. Each may stand in it once */
    guint32 n_requests;
    const guint32 *peers; /* POST, START, COMPLETE, EXPOSED: n_peers ranks; owned by the feeder, valid likewise */
    guint32 n_peers;
    guint64 token; /* the feeder's own */
} HieraSimOperation;

/** How long an operation took. A rank's next operation begins when the one before ends. */
typedef struct {
    gint64 start_ps, end_ps;
    gint64 waiting_ps;        /* part of it, in which the rank could but wait until the last rank on which it depended
                                 had begun its own operation */
    const guint64 *completed; /* WAIT that is not for all: the requests that it took, n_completed of them, in the order
                                 of the list; valid during the call */
    guint32 n_completed;
} HieraSimTimes;

/** Where the operations come from. All functions are called in the thread of hiera_simulate. */
typedef struct {
    /** Tell the next operation of a rank.
     *
     * @param operation  to be filled; all 0 before
     * @return false if the rank has ended; then it is not asked again */
    gboolean (*next)(gpointer context, guint32 rank, HieraSimOperation *operation);
    /** Called for each operation once its end is known, for a rank in order, before its next one is asked for; ends of
     * different ranks are not in order of time. May be NULL. */
    void (*done)(gpointer context, guint32 rank, const HieraSimOperation *operation, const HieraSimTimes *times);
    /** The ranks of a communicator, or of a window. Called once for each one that has collectives or fences, when the
     * first one begins. May be NULL if there are none.
     *
     * @param n  becomes how many there are
     * @return   ranks of the machine, each once, by rank in the communicator; owned by the feeder, valid until the
     *           simulation ends. NULL: there is no such communicator */
    const guint32 *(*group)(gpointer context, guint32 group, guint32 *n);
    gpointer context;
    /** Receives may be posted with HIERA_SIM_ANY. Messages are then matched when they arrive, in MPI's order, which
     * takes an event more for each; otherwise such a receive is an error. */
    gboolean wildcards;
    /** Called when it is known which message a receive takes: before the receive, or the WAIT for it, is done. May be
     * NULL. */
    void (*matched)(gpointer context, guint32 source, guint64 send_token, guint32 dest, guint64 receive_token);
} HieraSimFeeder;

/** What a rank did. end_ps = compute_ps + delay_ps + mpi_ps. */
typedef struct {
    gint64 end_ps;
    gint64 compute_ps; /* in COMPUTE, as long as it took */
    gint64 delay_ps;   /* in DELAY */
    gint64 mpi_ps;     /* in all other operations */
    gint64 waiting_ps; /* part of mpi_ps; see HieraSimTimes */
    gint64 sending_ps; /* in which its adapter sent data: of all messages, also those of collectives in steps */
    guint64 n_messages, n_bytes; /* sent by SEND */
} HieraSimRank;

/** A rank that never ends, and its operation. */
typedef struct {
    guint32 rank;
    HieraSimKind kind;
    guint64 token;
    guint32 waits_for; /* the rank of the next one in the list */
} HieraSimStuck;

typedef struct {
    gint64 end_ps;       /* the last rank's */
    HieraSimRank *ranks; /* by rank of the machine */
    guint32 n_ranks;
    guint64 n_operations, n_events;
    guint64 most_open; /* messages and requests that were open at the same time */
    /** Of a deadlock: each waits for the next one. The last one waits for the first one if it is a circle; otherwise
     * for a rank that has ended. Empty if there is none. */
    HieraSimStuck *stuck;
    guint32 n_stuck;
    gboolean circle;
} HieraSimResult;

/** Simulate a run. O(log(ranks + open)) for each operation.
 *
 * @param machine  valid during the call
 * @param feeder   valid during the call
 * @param result   becomes what was found, also of a deadlock: how far each rank came. To be cleared with
 *                 hiera_sim_result_clear in any case
 * @param error    HIERA_SIMULATOR_ERROR_…
 * @return whether all ranks have ended */
gboolean hiera_simulate(const HieraMachine *machine, const HieraSimFeeder *feeder, HieraSimResult *result,
                        GError **error);

/** Free what a result owns. */
void hiera_sim_result_clear(HieraSimResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HieraSimResult, hiera_sim_result_clear)

/** How long a collective takes in one step. Of BARRIER, ALLREDUCE, ALLGATHER, REDUCE_SCATTER and ALLTOALL all members
 * leave so long after the last one has entered; of BROADCAST and SCATTER each one that is not the root after both the
 * root and it have, while the root only pays o; of REDUCE and GATHER the root after the last one, the others pay o; of
 * SCAN each member after the last one of those before it, and it, have entered.
 *
 * With r = ceil(log2 n) and w = o + L + o: r w for BARRIER; r (w + k G) for BROADCAST, REDUCE, ALLREDUCE and SCAN;
 * r w + (n - 1) k G for GATHER, SCATTER, ALLGATHER and REDUCE_SCATTER; w + (n - 1) (g + k G) for ALLTOALL; for each k G
 * the `extra` of the size as well. Source: the bounds of Thakur, Rabenseifner, Gropp 2005, with LogGP's parameters.
 *
 * @param n        members; with one of them it takes no time
 * @param network  between hosts if the members are on several of them */
gint64 hiera_sim_one_step_ps(HieraSimCollective collective, guint32 n, gint64 bytes, const HieraNetwork *network);

/** Name of a kind of operations; a constant. */
const char *hiera_sim_kind_name(HieraSimKind kind);

#endif
