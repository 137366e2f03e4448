/* Evaluates rules while operations come by: those of one thread, each with its begin and its end, as they nest.
 *
 * Idea: a meter keeps running totals of all counters. Where an execution begins that a rule is about, the totals are
 * noted; where it ends, the differences are the rule's values. So executions may nest, and memory grows with the depth
 * and with the requests that are open alone.
 *
 * A host (hiera-transform over traces; the collector over its records) tells what happens; what counts, and what is
 * unknown, is decided here, so that all hosts give the same answers. Times are in nanoseconds. */
#ifndef HIERA_METER_H
#define HIERA_METER_H

#include "assertions/assertions.h"

typedef struct HieraMeter HieraMeter;
typedef struct HieraMeterRequests HieraMeterRequests;

/* Memory of a meter: `grow` enlarges a block (NULL: makes one) and zeroes the new part; NULL if there is none. */
typedef struct HieraMeterMemory {
    void *(*grow)(void *memory, size_t old_bytes, size_t bytes);
    void (*release)(void *memory, size_t bytes); /* NULL is allowed */
} HieraMeterMemory;

/* Peers and bytes that are not known, and the peer MPI_PROC_NULL. */
#define HIERA_METER_NO_PEER   INT64_MIN
#define HIERA_METER_PEER_NULL (-1)
#define HIERA_METER_NO_BYTES  (-1)
/* A time of an end that nobody knows. */
#define HIERA_METER_NO_END INT64_MAX

/* An operation, or several that were only counted. */
typedef struct HieraMetered {
    uint32_t comm;         /* hiera_meter_comm() */
    int64_t calls;         /* 1 */
    int64_t time_ns;       /* of MPI calls; 0 if an end is not known */
    bool has_end;          /* every end is known */
    bool begins;           /* it starts a request, which hiera_meter_request() tells */
    int64_t peer, source;  /* to whom, and from whom */
    int64_t bytes, rbytes; /* what it gives (a receive: gets), and what it gets in calls that also give: as in traces */
    int64_t posted;        /* for how many bytes a receive is posted; HIERA_METER_NO_BYTES: unknown */
} HieraMetered;

/* What a rule over ranks takes of a rank: each execution that is in no other one, or their sum. */
typedef struct HieraKept {
    const int64_t *items; /* n times HIERA_KEPT_VALUES numbers, and the values of the rule's counters */
    size_t n;
    bool unknown; /* there is more, or calls in it are not known */
} HieraKept;
/* Begin, duration (HIERA_METER_NO_TIME if it has no end), the host's row; of a sum the begin and row of the first. */
enum { HIERA_KEPT_START, HIERA_KEPT_WALL, HIERA_KEPT_ROW, HIERA_KEPT_VALUES };
#define HIERA_METER_NO_TIME (-1)

/* Where executions of rules `on each execution` are kept, so that no memory grows with them; one for all meters of a
 * process. */
typedef struct HieraKeeper {
    /* Take some of a rule: n numbers as in HieraKept, at most HIERA_KEPT_FEW. @return  false: not now, so they stay in
     * memory */
    bool (*take)(void *user, size_t rule, const int64_t *numbers, size_t n);
    void *user;
} HieraKeeper;
/* How many numbers of a rule a meter keeps before the keeper is asked. */
enum { HIERA_KEPT_FEW = 512 };

/* What became of the rules on one rank. */
typedef struct HieraOutcome {
    int64_t rank;
    int64_t size;            /* ranks of the job; 0: unknown */
    HieraVerdicts *verdicts; /* by rule; none of a rule over ranks, which hiera_rule_judge_ranks() judges */
    HieraKept *kept;         /* by rule: of a rule over ranks about executions */
    int64_t *totals;         /* by counter: of the whole run */
    bool *unknown;           /* by counter: the total is not known */
    int64_t wall_ns;         /* of the whole run */
    bool wall_unknown;
} HieraOutcome;

/* What is known of a rank at its end. */
typedef struct HieraMeteredRank {
    int64_t wall_ns;
    bool lost;  /* calls were lost, or came while recording was off */
    bool cut;   /* the end of its run is not known */
    bool asked; /* rules about whole ranks concern it */
} HieraMeteredRank;

/* The requests of a process, which the meters of its threads share: one thread may complete what another one has
 * posted. NULL if there is no memory. @param memory  NULL: malloc's */
HieraMeterRequests *hiera_meter_requests_new(const HieraMeterMemory *memory);
void hiera_meter_requests_free(HieraMeterRequests *requests); /* NULL is allowed */

/* A meter of a thread, or of all threads of a process. NULL if there is no memory. The rules must outlive it.
 *
 * @param memory    NULL: malloc's
 * @param requests  of its process, which must outlive it; NULL: its own */
HieraMeter *hiera_meter_new(const HieraRules *rules, const HieraMeterMemory *memory, HieraMeterRequests *requests);
void hiera_meter_free(HieraMeter *meter); /* NULL is allowed */
/* The keeper has to outlive the meter. */
void hiera_meter_set_keeper(HieraMeter *meter, const HieraKeeper *keeper);
/* Put n executions of `width` numbers each into the order of their begins. */
void hiera_kept_sort(int64_t *items, size_t n, size_t width);
/* Of which rank the thread is. @param size  ranks of the job; 0: unknown, as at first */
void hiera_meter_set_rank(HieraMeter *meter, int64_t rank, int64_t size);

/* Make room for rules that were added (hiera_rules_add()). Without memory operations are lost (hiera_meter_lose()).
 *
 * @return  whether there were any. Then ask again for the numbers of operations: those from before know nothing of the
 *          new rules */
bool hiera_meter_fit(HieraMeter *meter);

/* From when to when MPI can be used; at first always. INT64_MAX: not yet known, so later than everything. */
void hiera_meter_set_mpi(HieraMeter *meter, int64_t from_ns, int64_t to_ns);

/* Return the number of an operation by its name, for hiera_meter_open(). The host keeps it.
 *
 * @param is_mpi        it is an operation of the MPI level
 * @param method_class  its class, "" if it has none */
uint32_t hiera_meter_site(HieraMeter *meter, bool is_mpi, const char *method_class, const char *operation);
/* Return the number of an operation that is an execution of a marked rule. */
uint32_t hiera_meter_site_of_rule(HieraMeter *meter, unsigned rule);
/* Return the number of a communicator by its id in traces, NULL if there is none. The host may keep it. */
uint32_t hiera_meter_comm(const HieraMeter *meter, const char *id);

/* An operation begins. Its parent is the innermost open one.
 *
 * @param row    the host's own: which operation it is
 * @param asked  rules about executions concern it */
void hiera_meter_open(HieraMeter *meter, uint32_t site, int64_t start_ns, uint64_t row, bool asked);
/* Count the operation that has just been opened. */
void hiera_meter_count(HieraMeter *meter, const HieraMetered *metered);
/* A request of the operation that was just counted: it starts the request, or completes it with these bytes from this
 * source. @param number  unique in the process over time; 0: none */
void hiera_meter_request(HieraMeter *meter, int64_t number, int64_t source, int64_t bytes);
/* The values of variables of the next execution of a marked rule that ends. An execution for which this is not called,
 * even if it has none, was left by longjmp, and nothing is known of it. @param values  n of them */
void hiera_meter_set_variables(HieraMeter *meter, unsigned rule, const double *values, unsigned n);
/* The innermost open operation ends. Without an open one, nothing happens. */
void hiera_meter_close(HieraMeter *meter, int64_t finish_ns);
/* Return how many operations are open. */
size_t hiera_meter_depth(const HieraMeter *meter);

/* How much has to be told of calls of an MPI operation that have ended and are not inside another one. What is less
 * than all is told instead of opening, counting and closing them, and takes less time. */
typedef enum HieraMeterNeed {
    HIERA_METER_NOTHING,
    HIERA_METER_SUM,      /* hiera_meter_sum(), of meter_sums.h like the others that raise sums */
    HIERA_METER_SENDS,    /* that, and the message: hiera_meter_send() */
    HIERA_METER_RECEIVES, /* hiera_meter_sum(), hiera_meter_post() and hiera_meter_receive() */
    HIERA_METER_POSTS,    /* hiera_meter_sum() and hiera_meter_post(), and hiera_meter_remember() if requests are
                             remembered */
    HIERA_METER_MOVES,    /* hiera_meter_sum() and hiera_meter_bytes() */
    HIERA_METER_REQUESTS, /* hiera_meter_sum(), and hiera_meter_complete() for each request that it completes */
    HIERA_METER_FLAT,     /* hiera_meter_flat(), and then its requests */
    HIERA_METER_ALL
} HieraMeterNeed;
/* @param begins  calls of the operation start a request */
HieraMeterNeed hiera_meter_need(const HieraMeter *meter, uint32_t site, bool begins);
/* Whether it matters how long its calls took. */
bool hiera_meter_needs_times(const HieraMeter *meter, uint32_t site);
/* Whether it matters for how many bytes its receives are posted. */
bool hiera_meter_needs_posts(const HieraMeter *meter, uint32_t site);
/* Whether its calls count the same, whatever their communicators and peers. */
bool hiera_meter_is_plain(const HieraMeter *meter, uint32_t site);
/* The number of those calls of an operation that have this communicator and peer, for hiera_meter_sums(); for a plain
 * one its own. 0 without memory. */
uint32_t hiera_meter_part(HieraMeter *meter, uint32_t site, uint32_t comm, int64_t peer);
/* A request of a receive that is posted on this communicator. */
void hiera_meter_remember(HieraMeter *meter, int64_t number, uint32_t comm);
/* A request that a call of an operation has completed: as hiera_meter_request(). */
void hiera_meter_complete(HieraMeter *meter, uint32_t site, int64_t number, int64_t source, int64_t bytes);
/* What a call did. */
void hiera_meter_flat(HieraMeter *meter, uint32_t site, const HieraMetered *metered);
/* Whether a counter asks for a communicator; and whether one asks for the bytes received on it, so that requests are
 * remembered. */
bool hiera_meter_has_comms(const HieraMeter *meter);
bool hiera_meter_remembers(const HieraMeter *meter);

/* Executions of which only sums are known. */
void hiera_meter_hide(HieraMeter *meter, uint32_t site, const HieraMetered *sum);
/* Some operations are lost. */
void hiera_meter_lose(HieraMeter *meter);

/* The verdicts on a rule so far; none of a rule over ranks. Valid until the meter changes. */
const HieraVerdicts *hiera_meter_peek_verdicts(const HieraMeter *meter, unsigned rule);

/* Add what another thread of the rank did, after all of its operations. */
void hiera_meter_add(HieraMeter *meter, HieraMeter *thread);
/* Evaluate what is open, whose end is not known, and the rules about the whole run of the rank. The meter stays as it
 * is: more operations may come. The outcome belongs to it, and is valid until the next call; NULL if there is no
 * memory. */
const HieraOutcome *hiera_meter_finish(HieraMeter *meter, const HieraMeteredRank *rank);

/* What a rule over ranks compares. */
typedef struct HieraComparedRanks {
    const HieraOutcome *outcomes; /* n of them, by rising rank */
    size_t n;
    bool complete;                /* these are all ranks; else nothing is known over them */
    const HieraEvaluation *whole; /* HIERA_RULE_JOB: the sums of all ranks; else NULL */
} HieraComparedRanks;

/* Judge a rule over ranks (it has reductions).
 *
 * @param number  of the rule, from 0
 * @param tell    gets the verdicts by rising rank; those that are about no rank in particular first, with rank -1.
 *                Verdicts over all ranks belong to the one that has the first min() or max() of the rule
 * @return  false if there is no memory */
bool hiera_rule_judge_ranks(const HieraRules *rules, size_t number, const HieraComparedRanks *ranks,
                            void (*tell)(void *user, const HieraVerdicts *verdicts, int64_t rank), void *user);

#endif
