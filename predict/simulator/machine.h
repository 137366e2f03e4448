/** The machine that a run is simulated on: processors, hosts and the network between them.
 *
 * What messages cost is LogGP (Alexandrov, Ionescu, Schauser, Scheiman, "LogGP: incorporating long messages into the
 * LogP model", SPAA 1995), with the rendezvous for long messages of LogGPS (Ino, Fujimoto, Hagihara, 2001). A message
 * of k bytes keeps its sender for the overhead o; its first byte leaves when the sender's adapter is free, its last one
 * k G later, and reaches the receiver after L more; the adapter is free again g after the last byte has left. Receiving
 * takes the receiver o. (LogGP counts k - 1 gaps of a byte; here all k count, so that an empty message has none.)
 * Two more things make it fit what is measured: copying a message that does not wait for its receive takes the
 * processors of both sides time for each byte, as in LogGOPS (Hoefler, Schneider, Lumsdaine, "LogGOPSim", 2010); and
 * latency and bandwidth may change with the size in steps, as in SMPI (Clauss et al. 2011).
 * Where a processor, or a memory, moves what a rank sends and what it receives, both share it: of a rank, messages in
 * both directions together have `duplex` times the bandwidth. What a message takes, G for each byte and the `extra` of
 * its size, takes the ranks at both ends, divided by `duplex`, of a time that is theirs alone; the message has left
 * when each has had that, and what it takes has passed.
 *
 * All times are whole picoseconds, so that results do not depend on the order of sums. */
#ifndef HIERA_MACHINE_H
#define HIERA_MACHINE_H

#include <glib.h>

/** Picoseconds in a nanosecond. */
#define HIERA_PS_PER_NS 1000

/** Messages of more than so many bytes take longer. */
typedef struct {
    gint64 above_bytes;
    gint64 extra_ps;     /* from when a message could leave until it leaves */
    gdouble ps_per_byte; /* in the place of that of the network */
    gdouble duplex;      /* likewise */
} HieraNetworkStep;

/** The most steps. */
#define HIERA_NETWORK_STEPS 16

/** LogGP parameters of one kind of connection. None is negative, no time more than 1000 s. */
typedef struct {
    gint64 latency_ps;          /* L: from the sender's adapter to the receiver */
    gint64 send_overhead_ps;    /* o of the sender: its processor, for each message */
    gint64 receive_overhead_ps; /* o of the receiver: its processor, for each message */
    gint64 request_overhead_ps; /* the processor, for each send or receive that does not block, besides */
    gint64 gap_ps;              /* g: between the end of a message and the begin of the next one of the same rank */
    gdouble ps_per_byte;        /* G: the inverse of the bandwidth; 1000 is 1 GB/s */
    gdouble duplex;             /* from 1 (what a rank sends and receives shares one bandwidth) to 2 (neither disturbs
                                   the other); 0 is 2 */
    gint64 eager_bytes;         /* messages of more bytes wait until the receive is posted (rendezvous) */
    gboolean
        progress_in_calls; /* a rendezvous goes on only when its receiver waits in a call; else also while it computes
                            */
    gint64 acknowledgement_ps; /* from when the last byte of a rendezvous has left until its send is done */
    gdouble send_copy_ps_per_byte, receive_copy_ps_per_byte; /* of eager messages: added to the overheads */
    gint64 step_overhead_ps;    /* the processor, for each step of a collective, besides its messages */
    gdouble reduce_ps_per_byte; /* the processor, for a vector that it combines with its own in a collective in steps */
    gdouble own_copy_ps_per_byte; /* the processor, for what a member of a collective in steps sends to itself; of the
                                     network inside hosts */
    guint32 n_steps;              /* by rising size; the last one that holds for a message holds */
    HieraNetworkStep steps[HIERA_NETWORK_STEPS];
} HieraNetwork;

/** Collective operations: X(identifier, name). What `bytes` of an operation are is behind them. */
#define HIERA_SIM_COLLECTIVES(X)                                                                                       \
    X(BARRIER, "barrier")               /* not used */                                                                 \
    X(BROADCAST, "broadcast")           /* the message */                                                              \
    X(REDUCE, "reduce")                 /* the vector */                                                               \
    X(ALLREDUCE, "allreduce")           /* the vector */                                                               \
    X(SCAN, "scan")                     /* the vector; also of an exclusive one */                                     \
    X(GATHER, "gather")                 /* what each member sends */                                                   \
    X(SCATTER, "scatter")               /* what each member receives */                                                \
    X(ALLGATHER, "allgather")           /* what each member sends */                                                   \
    X(REDUCE_SCATTER, "reduce_scatter") /* what each member receives */                                                \
    X(ALLTOALL, "alltoall")             /* what each member sends to each */
typedef enum {
#define X(identifier, name) HIERA_SIM_##identifier,
    HIERA_SIM_COLLECTIVES(X)
#undef X
        HIERA_SIM_N_COLLECTIVES
} HieraSimCollective;

/** How the members of a collective operation go about it: X(identifier, name). n is the number of members. Sources:
 * Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH" (2005); Hensgen, Finkel,
 * Manber 1988 (dissemination); Bruck et al. 1997. */
#define HIERA_SIM_ALGORITHMS(X)                                                                                        \
    X(AUTOMATIC, "automatic")                   /* by number of members and bytes, as MPI libraries choose */          \
    X(ONE_STEP, "one step")                     /* a formula: see hiera_sim_one_step_ps */                             \
    X(DISSEMINATION, "dissemination")           /* BARRIER: in round k with the members 2^k away */                    \
    X(BINOMIAL, "binomial")                     /* BROADCAST, REDUCE, GATHER, SCATTER: along a binomial tree */        \
    X(SCATTER_ALLGATHER, "scatter, allgather")  /* BROADCAST: binomial scatter, ring of parts */                       \
    X(RECURSIVE_DOUBLING, "recursive doubling") /* ALLREDUCE, SCAN; ALLGATHER, REDUCE_SCATTER if n is a power of 2 */  \
    X(RING, "ring")                             /* ALLREDUCE, ALLGATHER: n - 1 times to the right neighbour */         \
    X(BRUCK, "Bruck")                           /* ALLGATHER, ALLTOALL: in round k with the members 2^k away */        \
    X(PAIRWISE, "pairwise")                     /* ALLTOALL, REDUCE_SCATTER: with each member in turn */
typedef enum {
#define X(identifier, name) HIERA_SIM_##identifier,
    HIERA_SIM_ALGORITHMS(X)
#undef X
        HIERA_SIM_N_ALGORITHMS
} HieraSimAlgorithm;

typedef struct {
    guint32 n_ranks;
    HieraNetwork between; /* ranks on different hosts */
    HieraNetwork inside;  /* ranks on the same host; what a rank sends to itself has no latency */
    guint32 n_hosts;      /* 0: each rank has a host of its own */
    const guint32 *host;  /* by rank, below n_hosts; not used if n_hosts is 0 */
    guint32
        links;     /* of each host, each with the bandwidth of the network, in both directions. A message between hosts
                      takes the link of its sender's host that is free first, and likewise at the receiver's; messages wait
                      in the order in which they come. 0: nothing but its own messages keeps a rank's message waiting */
    guint32 cores; /* of each host: where more of its ranks compute at the same time, each gets the same share. Waiting
                      takes no core. 0: one for each rank */
    const gdouble *rank_speed;  /* by rank: computing takes 1 / speed of its time; NULL: 1 */
    const gdouble *host_speed;  /* by host, likewise; NULL: 1 */
    const gdouble *class_speed; /* by class of a computation, n_classes of them, likewise */
    guint32 n_classes;          /* classes from this on have the speed 1 */
    /** By collective. One that an operation cannot use, such as RECURSIVE_DOUBLING of an ALLGATHER of three members, is
     * as AUTOMATIC. Non-blocking operations are always one step. */
    HieraSimAlgorithm algorithm[HIERA_SIM_N_COLLECTIVES];
} HieraMachine;

#endif
