/** The machine on which a run is simulated: CPUs, hosts and the network between them.
 *
 * The cost of messages is LogGP (Alexandrov, Ionescu, Schauser, Scheiman, "LogGP: incorporating long messages into the
 * LogP model", SPAA 1995), with the rendezvous for long messages of LogGPS (Ino, Fujimoto, Hagihara, 2001). A message
 * of k bytes keeps its sender busy for the overhead o; its first byte leaves when the sender's adapter is free, its
 * last one k G later, and reaches the receiver after another L; the adapter is free again g after the last byte has
 * left. Receiving takes the receiver o. (LogGP counts k - 1 gaps of a byte; here all k count, so that an empty message
 * has none.) Two additions make it fit measurements: copying a message that does not wait for its receive takes CPU
 * time for each byte on both sides, as in LogGOPS (Hoefler, Schneider, Lumsdaine, "LogGOPSim", 2010); and latency and
 * bandwidth may change with the size in steps, as in SMPI (Clauss et al. 2011). If one CPU or memory moves both what a
 * rank sends and what it receives, the two share it: messages of a rank in both directions together have `duplex` times
 * the bandwidth. The time of a message, G for each byte and the `extra` of its size, divided by `duplex`, occupies the
 * ranks at both ends exclusively; the message has left when both have spent that time, and the undivided time has
 * passed.
 *
 * All times are whole picoseconds, so that results do not depend on the order of sums. */
#pragma once

#include <glib.h>

/** Picoseconds in a nanosecond. */
#define HIERA_PS_PER_NS 1000

/** Parameters that replace those of a network for messages of more than above_bytes. */
typedef struct {
    gint64 above_bytes;
    gint64 extra_ps;     /* time added to each message before its first byte leaves */
    gdouble ps_per_byte; /* replaces the ps_per_byte of the network */
    gdouble duplex;      /* replaces the duplex of the network */
} HieraNetworkStep;

/** Greatest number of steps (size limits) of a network. */
#define HIERA_NETWORK_STEPS 16

/** LogGP parameters of one kind of connection. No value is negative, no time is longer than 1000 s. */
typedef struct {
    gint64 latency_ps;          /* L: time of a byte from the sender's adapter to the receiver */
    gint64 send_overhead_ps;    /* o of the sender: CPU time for each message that it sends */
    gint64 receive_overhead_ps; /* o of the receiver: CPU time for each message that it receives */
    gint64 request_overhead_ps; /* additional CPU time for starting a non-blocking send or receive */
    gint64 gap_ps; /* g: least time from the end of a message until the next one of the same rank may begin to leave */
    gdouble ps_per_byte; /* G: time per byte, the inverse of the bandwidth; 1000 is 1 GB/s */
    gdouble duplex;      /* from 1 (both directions of a rank share the bandwidth) to 2 (each has its own); 0 means 2 */
    gint64 eager_bytes;  /* messages of more bytes wait until the receive is posted (rendezvous) */
    gboolean progress_in_calls; /* a rendezvous progresses only while its receiver waits in a call; otherwise also
                                   during computation */
    gint64 acknowledgement_ps;  /* time from when the last byte of a rendezvous has left until its send is done */
    gdouble send_copy_ps_per_byte, receive_copy_ps_per_byte; /* CPU time for copying eager messages */
    gint64 step_overhead_ps;    /* additional CPU time of a rank for each step of a collective's algorithm */
    gdouble reduce_ps_per_byte; /* CPU time per byte for combining a received vector with the own one in a collective in
                                   steps */
    gdouble own_copy_ps_per_byte; /* CPU time per byte for data that a member of a collective in steps sends to itself;
                                     taken from the network inside hosts */
    guint32 n_steps; /* number of `steps`, by rising size; the last step with above_bytes below a message's size applies
                        to the message */
    HieraNetworkStep steps[HIERA_NETWORK_STEPS];
} HieraNetwork;

/** Collective operations: X(identifier, name). The comments say what `bytes` of an operation means. */
#define HIERA_SIM_COLLECTIVES(X)                                                                                       \
    X(BARRIER, "barrier")               /* bytes is not used */                                                        \
    X(BROADCAST, "broadcast")           /* size of the root's message */                                               \
    X(REDUCE, "reduce")                 /* size of one member's vector */                                              \
    X(ALLREDUCE, "allreduce")           /* size of one member's vector */                                              \
    X(SCAN, "scan")                     /* size of one member's vector; also for an exclusive scan */                  \
    X(GATHER, "gather")                 /* bytes that each member sends */                                             \
    X(SCATTER, "scatter")               /* bytes that each member receives */                                          \
    X(ALLGATHER, "allgather")           /* bytes that each member sends */                                             \
    X(REDUCE_SCATTER, "reduce_scatter") /* bytes that each member receives */                                          \
    X(ALLTOALL, "alltoall")             /* bytes that each member sends to each other member */
typedef enum {
#define X(identifier, name) HIERA_SIM_##identifier,
    HIERA_SIM_COLLECTIVES(X)
#undef X
        HIERA_SIM_N_COLLECTIVES
} HieraSimCollective;

/** Algorithms of collective operations: X(identifier, name). n is the number of members. Sources: Thakur, Rabenseifner,
 * Gropp, "Optimization of collective communication operations in MPICH" (2005); Hensgen, Finkel, Manber 1988
 * (dissemination); Bruck et al. 1997. */
#define HIERA_SIM_ALGORITHMS(X)                                                                                        \
    X(AUTOMATIC, "automatic")                   /* chosen by number of members and bytes, as in MPI libraries */       \
    X(ONE_STEP, "one step")                     /* no messages: formula of hiera_sim_one_step_ps */                    \
    X(DISSEMINATION, "dissemination")           /* BARRIER: in round k, partners are 2^k members away */               \
    X(BINOMIAL, "binomial")                     /* BROADCAST, REDUCE, GATHER, SCATTER: along a binomial tree */        \
    X(SCATTER_ALLGATHER, "scatter, allgather")  /* BROADCAST: binomial scatter of n parts, then allgather in a ring */ \
    X(RECURSIVE_DOUBLING, "recursive doubling") /* ALLREDUCE, SCAN; ALLGATHER, REDUCE_SCATTER if n is a power of 2 */  \
    X(RING, "ring")                             /* ALLREDUCE, ALLGATHER: each step is a send to the right neighbour */ \
    X(BRUCK, "Bruck")                           /* ALLGATHER, ALLTOALL: in round k, partners are 2^k away */           \
    X(PAIRWISE, "pairwise")                     /* ALLTOALL, REDUCE_SCATTER: with each other member in turn */
typedef enum {
#define X(identifier, name) HIERA_SIM_##identifier,
    HIERA_SIM_ALGORITHMS(X)
#undef X
        HIERA_SIM_N_ALGORITHMS
} HieraSimAlgorithm;

typedef struct {
    guint32 n_ranks;
    HieraNetwork between; /* network between ranks on different hosts */
    HieraNetwork inside;  /* network between ranks on the same host; messages of a rank to itself have no latency */
    guint32 n_hosts;      /* number of hosts; 0: each rank has a host of its own */
    const guint32 *host;  /* by rank: index of its host, below n_hosts; not used if n_hosts is 0 */
    guint32 links; /* links of each host, each with the bandwidth of the network, in both directions. A message between
                      hosts takes the link of its sender's host that is free first, and likewise at the receiver's;
                      messages wait in the order in which they come. 0: not limited; a message waits only for other
                      messages of the same rank */
    guint32 cores; /* cores of each host: if more of its ranks compute at the same time, each gets the same share.
                      Waiting takes no core. 0: one for each rank */
    const guint32 *core_set; /* by rank: index of the cores that it shares, below n_ranks, if these are not those of its
                                host: each set has `cores`. NULL: those of its host */
    const gdouble *rank_speed;  /* by rank: factor on its speed of computing (2: half the time); NULL: 1 */
    const gdouble *host_speed;  /* by host: factor on its ranks' speed of computing; NULL: 1 */
    const gdouble *class_speed; /* by class of a computation: factor on its speed, n_classes values */
    guint32 n_classes;          /* number of class_speed; computation of further classes has factor 1 */
    /** Algorithm by collective. If an operation cannot use it, such as RECURSIVE_DOUBLING for an ALLGATHER of three
     * members, AUTOMATIC is used. Non-blocking operations always take one step. */
    HieraSimAlgorithm algorithm[HIERA_SIM_N_COLLECTIVES];
} HieraMachine;
