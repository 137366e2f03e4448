/* Evaluates rules from the operations of one thread, which the host reports with their begins and ends, as they nest.
 *
 * Idea: a meter keeps running totals of all counters. Where an execution of a rule begins, the totals are stored; where
 * it ends, the differences are the rule's values. So executions may nest, and memory grows only with the depth and with
 * the number of open requests.
 *
 * A host (hiera-transform for traces; the collector for its records) reports what happens; the meter decides what
 * counts, and what is unknown, so that all hosts get the same answers. Times are in nanoseconds. */
#pragma once

#include "assertions/assertions.h"

typedef struct HieraMeter HieraMeter;
typedef struct HieraMeterRequests HieraMeterRequests;

/* Memory functions of a meter: `grow` enlarges a block (NULL: makes one) and zeroes the new part; it returns NULL
 * without memory. */
typedef struct HieraMeterMemory {
    void *(*grow)(void *memory, size_t old_bytes, size_t bytes);
    void (*release)(void *memory, size_t bytes); /* free a block; NULL is allowed */
} HieraMeterMemory;

/* Values of a peer: NO_PEER is unknown, PEER_NULL is MPI_PROC_NULL. NO_BYTES: the number of bytes is unknown. */
#define HIERA_METER_NO_PEER   INT64_MIN
#define HIERA_METER_PEER_NULL (-1)
#define HIERA_METER_NO_BYTES  (-1)
/* Value of `finish_ns` for an operation whose end is unknown. */
#define HIERA_METER_NO_END INT64_MAX

/* Facts that a host reports about one operation; or sums of several operations that were only counted. */
typedef struct HieraMetered {
    uint32_t comm;         /* number of the communicator, from hiera_meter_comm() */
    int64_t calls;         /* number of calls, usually 1 */
    int64_t time_ns;       /* duration of MPI calls; 0 if an end is unknown */
    bool has_end;          /* whether the ends of all the calls are known */
    bool begins;           /* whether the call starts a request, which hiera_meter_request() reports */
    int64_t peer, source;  /* ranks of the destination and of the source in the communicator */
    int64_t bytes, rbytes; /* bytes: sent, or received by a receive; rbytes: received by a call that also sends */
    int64_t posted;        /* size of the buffer of a receive; HIERA_METER_NO_BYTES: unknown */
} HieraMetered;

/* What one rank contributes to a rule over ranks: its executions that are not inside another one, or their sum. */
typedef struct HieraKept {
    const int64_t *items; /* n items: each has HIERA_KEPT_VALUES numbers, then the values of the rule's counters */
    size_t n;
    bool unknown; /* whether some executions, or calls in executions, are not known */
} HieraKept;
/* Numbers of an item: begin, duration (HIERA_METER_NO_TIME if it has no end), the host's row. A sum has the begin and
 * row of its first execution. */
enum { HIERA_KEPT_START, HIERA_KEPT_WALL, HIERA_KEPT_ROW, HIERA_KEPT_VALUES };
#define HIERA_METER_NO_TIME (-1)

/* A keeper stores executions of rules `on each execution` outside the meters, whose memory then does not grow with
 * the number of executions. All meters of a process share one keeper. */
typedef struct HieraKeeper {
    /* Store executions of a rule: n numbers as in HieraKept, at most HIERA_KEPT_FEW. @return  false: not possible now,
     * so they stay in memory */
    bool (*take)(void *user, size_t rule, const int64_t *numbers, size_t n);
    void *user;
} HieraKeeper;
/* Most numbers of a rule that a meter stores in memory before it passes them to the keeper. */
enum { HIERA_KEPT_FEW = 512 };

/* The outcome of all rules on one rank. */
typedef struct HieraOutcome {
    int64_t rank;
    int64_t size;            /* number of ranks of the job; 0: unknown */
    HieraVerdicts *verdicts; /* by rule; empty for rules over ranks, which hiera_rule_judge_ranks() evaluates */
    HieraKept *kept;         /* by rule: the rank's executions, if the rule compares executions over ranks */
    int64_t *totals;         /* by counter: its total over the rank's whole run */
    bool *unknown;           /* by counter: true if its total is not known */
    int64_t wall_ns;         /* duration of the rank's whole run */
    bool wall_unknown;
} HieraOutcome;

/* Facts about a rank that the host passes to hiera_meter_finish(). */
typedef struct HieraMeteredRank {
    int64_t wall_ns;
    bool lost;  /* whether calls of the rank were lost, or were made while recording was off */
    bool cut;   /* whether the end of the rank's run is not known */
    bool asked; /* true if rules about whole ranks apply to this rank */
} HieraMeteredRank;

/* Make the request table of a process. The meters of its threads share it, since a thread may complete a request that
 * another one has posted. NULL if there is no memory. @param memory  NULL: malloc's */
HieraMeterRequests *hiera_meter_requests_new(const HieraMeterMemory *memory);
void hiera_meter_requests_free(HieraMeterRequests *requests); /* NULL is allowed */

/* Make a meter for a thread, or for all threads of a process. NULL if there is no memory. The rules must outlive it.
 *
 * @param memory    NULL: malloc's
 * @param requests  requests of the process, which must outlive the meter; NULL: the meter has its own */
HieraMeter *hiera_meter_new(const HieraRules *rules, const HieraMeterMemory *memory, HieraMeterRequests *requests);
void hiera_meter_free(HieraMeter *meter); /* NULL is allowed */
/* Set the keeper that stores executions for the meter. `keeper` must outlive the meter. */
void hiera_meter_set_keeper(HieraMeter *meter, const HieraKeeper *keeper);
/* Sort n executions, each of `width` numbers as in HieraKept, by the times of their begins. */
void hiera_kept_sort(int64_t *items, size_t n, size_t width);
/* Set the rank whose operations the meter gets. @param size  number of ranks of the job; 0 (initially): unknown */
void hiera_meter_set_rank(HieraMeter *meter, int64_t rank, int64_t size);

/* Set the number of the thread whose operations the meter gets from now on; initially 0, the main thread. */
void hiera_meter_set_thread(HieraMeter *meter, int64_t thread);

/* Enlarge a meter for rules that were added (hiera_rules_add()). If memory is short, operations are lost
 * (hiera_meter_lose()).
 *
 * @return  whether rules were added. Then get the numbers of operations again: older numbers do not include the new
 * rules */
bool hiera_meter_fit(HieraMeter *meter);

/* Set from when to when MPI can be used; initially always. INT64_MAX: not yet known, so later than everything. */
void hiera_meter_set_mpi(HieraMeter *meter, int64_t from_ns, int64_t to_ns);

/* Return the site of an operation, a number for hiera_meter_open(). The host stores it.
 *
 * @param is_mpi        the operation is of the MPI level
 * @param method_class  class of the method, "" for none */
uint32_t hiera_meter_site(HieraMeter *meter, bool is_mpi, const char *method_class, const char *operation);
/* Return a site, as hiera_meter_site() does, for executions of a rule that is marked in the program's source. */
uint32_t hiera_meter_site_of_rule(HieraMeter *meter, unsigned rule);
/* Return the number of a communicator, given by its id in traces; 0 if no counter names it. `id` may be NULL. The host
 * may store the number. */
uint32_t hiera_meter_comm(const HieraMeter *meter, const char *id);

/* An operation begins. Its parent is the innermost open one.
 *
 * @param row    the host's own identifier of the operation
 * @param asked  rules about executions apply to it */
void hiera_meter_open(HieraMeter *meter, uint32_t site, int64_t start_ns, uint64_t row, bool asked);
/* Count the operation that hiera_meter_open() has just opened, with the facts in `metered`. */
void hiera_meter_count(HieraMeter *meter, const HieraMetered *metered);
/* Report a request of the operation that was just counted: it starts the request, or completes it with these bytes from
 * this source. @param number  unique in the process over time; 0: none */
void hiera_meter_request(HieraMeter *meter, int64_t number, int64_t source, int64_t bytes);
/* Set the variables of the next execution of a marked rule that ends; also needed if the rule has no variables. An
 * execution that ends without this call was left by longjmp; its values are unknown. @param values  n values */
void hiera_meter_set_variables(HieraMeter *meter, unsigned rule, const double *values, unsigned n);
/* End the innermost open operation; does nothing if no operation is open. */
void hiera_meter_close(HieraMeter *meter, int64_t finish_ns);
/* Return the number of open operations. */
size_t hiera_meter_depth(const HieraMeter *meter);

/* What the host must report about calls of an MPI operation that have ended and are not inside another one. Anything
 * less than HIERA_METER_ALL is reported instead of opening, counting and closing them, and takes less time. */
typedef enum HieraMeterNeed {
    HIERA_METER_NOTHING,
    HIERA_METER_SUM,      /* report with hiera_meter_sum(), of meter_sums.h */
    HIERA_METER_SENDS,    /* report with hiera_meter_sum(), and with hiera_meter_send() for the message */
    HIERA_METER_RECEIVES, /* report with hiera_meter_sum(), hiera_meter_post() and hiera_meter_receive() */
    HIERA_METER_POSTS,    /* report with hiera_meter_sum() and hiera_meter_post(); also hiera_meter_remember() if
                             hiera_meter_remembers() */
    HIERA_METER_MOVES,    /* report with hiera_meter_sum() and hiera_meter_bytes() */
    HIERA_METER_REQUESTS, /* report with hiera_meter_sum(), and hiera_meter_complete() for each completed request */
    HIERA_METER_FLAT, /* report with hiera_meter_flat(), then with hiera_meter_request() for each request of the call */
    HIERA_METER_ALL
} HieraMeterNeed;
/* Return what must be reported about calls of the site. @param begins  whether the site's calls start a request */
HieraMeterNeed hiera_meter_need(const HieraMeter *meter, uint32_t site, bool begins);
/* Whether a counter needs the durations of the site's calls. */
bool hiera_meter_needs_times(const HieraMeter *meter, uint32_t site);
/* Whether a counter needs the buffer sizes of the site's receives. */
bool hiera_meter_needs_posts(const HieraMeter *meter, uint32_t site);
/* Whether no counter of the site is restricted to a communicator or a peer. */
bool hiera_meter_is_plain(const HieraMeter *meter, uint32_t site);
/* Return the part of a site with this communicator and peer, a number for hiera_meter_sums(); the site itself if it
 * is plain; 0 if memory is short. */
uint32_t hiera_meter_part(HieraMeter *meter, uint32_t site, uint32_t comm, int64_t peer);
/* Store on which communicator the receive with the request `number` is posted. */
void hiera_meter_remember(HieraMeter *meter, int64_t number, uint32_t comm);
/* Report that a call of the site has completed a request; arguments as for hiera_meter_request(). */
void hiera_meter_complete(HieraMeter *meter, uint32_t site, int64_t number, int64_t source, int64_t bytes);
/* Count a call of the site, without hiera_meter_open() and hiera_meter_close(). */
void hiera_meter_flat(HieraMeter *meter, uint32_t site, const HieraMetered *metered);
/* Whether a counter is restricted to a communicator; whether such a counter counts received bytes, so that requests are
 * remembered. */
bool hiera_meter_has_comms(const HieraMeter *meter);
bool hiera_meter_remembers(const HieraMeter *meter);

/* Add operations of the site that the host did not record one by one, so that only their sums are known. */
void hiera_meter_hide(HieraMeter *meter, uint32_t site, const HieraMetered *sum);
/* Report that some operations are missing, so that results which need them become unknown. */
void hiera_meter_lose(HieraMeter *meter);

/* Return the verdicts on a rule so far; empty for a rule over ranks. Valid until the meter changes. */
const HieraVerdicts *hiera_meter_peek_verdicts(const HieraMeter *meter, unsigned rule);

/* Add the results of `thread`, the meter of another thread of the rank, after that thread's last operation. */
void hiera_meter_add(HieraMeter *meter, HieraMeter *thread);
/* Evaluate open executions, whose ends are unknown, and the rules about the whole run of the rank. The meter is not
 * changed: more operations may come. The outcome belongs to the meter, and is valid until the next call; NULL if there
 * is no memory. */
const HieraOutcome *hiera_meter_finish(HieraMeter *meter, const HieraMeteredRank *rank);

/* The ranks that a rule over ranks compares. */
typedef struct HieraComparedRanks {
    const HieraOutcome *outcomes; /* outcomes of n ranks, in ascending order of ranks */
    size_t n;
    bool complete; /* whether `outcomes` has all ranks of the job; if not, results over ranks are unknown */
    const HieraEvaluation *whole; /* for a rule about the job: its counters summed over all ranks; else NULL */
} HieraComparedRanks;

/* Judge a rule over ranks (one with reductions).
 *
 * @param number  number of the rule, from 0
 * @param tell    receives the verdicts in ascending order of ranks; first those that belong to no rank, with rank -1.
 * Verdicts over all ranks belong to the rank that has the first min() or max() of the rule
 * @return  false if there is no memory */
bool hiera_rule_judge_ranks(const HieraRules *rules, size_t number, const HieraComparedRanks *ranks,
                            void (*tell)(void *user, const HieraVerdicts *verdicts, int64_t rank), void *user);
