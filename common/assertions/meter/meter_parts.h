/* The internals of a meter. */
#pragma once

#include "assertions/call_classes.h"
#include "assertions/rules.h"
#include "meter_sums.h"

#include <stddef.h>

/* An array that grows. */
typedef struct HieraMeterArray {
    void *items;
    size_t n, room; /* n: number of items; room: capacity in items */
} HieraMeterArray;

/* A site: the counters and rules that concern operations of one name, as ranges of `lists` in HieraMeter. */
typedef struct HieraMeterSite {
    bool is_mpi;
    bool plain;              /* whether each counter counts all calls of the site, with any communicator and peer */
    uint8_t role, starts;    /* HieraCallRole of the operation, and of each start of its persistent request */
    uint32_t of, comm, peer; /* of a part (calls of a site with one communicator and peer): number of that site,
                                communicator, and peer as index + 1 in `peers` */
    uint32_t counters, rules, insides;   /* begins of ranges in `lists`: counters of the site's calls, rules about the
                                            site's executions, rules about executions inside those */
    uint16_t n_times, n_calls, n_others; /* numbers of the site's counters: of times, of calls, of messages and bytes */
    uint16_t n_rules, n_insides;
} HieraMeterSite;

/* The amounts that a call, or one of its requests, adds to counters. */
typedef struct HieraMeteredCall {
    uint32_t comm;
    int64_t peer;
    bool has_peer;
    int64_t amounts[HIERA_N_AMOUNTS];
} HieraMeteredCall;

/* Properties of a HieraCounter that are needed when a call is counted. */
typedef struct HieraMeterCounter {
    uint8_t amount; /* what the counter adds up: one of HIERA_AMOUNT_… */
    bool has_peer;
    uint32_t comm; /* number of the communicator whose calls are counted (hiera_meter_comm()); 0: all calls */
    int64_t peer;
} HieraMeterCounter;

/* Entry of the stack of open operations, those that have begun and not ended. */
typedef struct HieraMeterOpen {
    uint32_t site;
    uint32_t n_frames; /* number of entries in `frames` when the operation began */
    int64_t start_ns;
    uint64_t row;
} HieraMeterOpen;

/* Entry of the stack of open executions of rules. */
typedef struct HieraMeterFrame {
    uint32_t rule;
    size_t noted; /* index in `noted` of the counters' totals at the begin of the execution */
} HieraMeterFrame;

struct HieraMeter {
    HieraMeterTally tally; /* must be the first field, because hiera_meter_tally() casts the pointer */
    HieraMeterMemory memory;
    const HieraRules *rules;
    size_t n_rules, n_counters;
    bool wants_requests; /* whether some counter counts messages or bytes, for which requests must be reported */
    bool has_comms;      /* whether some counter is restricted to one communicator */
    bool remembers;      /* whether posted receives are stored: a counter of received bytes needs their communicator */
    bool lost;           /* whether operations are missing: the host has lost them, or memory was short */
    bool open_call;      /* whether the end of some MPI call is not known */
    uint64_t unkept; /* number of open operations that were not stored for lack of memory; all are inside the innermost
                        stored one */
    uint32_t n_mpi;  /* number of open MPI calls */
    bool counts;     /* whether the operation opened last is counted: an MPI call inside another one is not */
    uint32_t site;   /* site of the operation that was opened last; `metered`: its facts, for hiera_meter_request() */
    HieraMetered metered;
    HieraMeterArray sites, lists, open, frames, noted;
    HieraMeterArray sums;  /* HieraMeterSums, by site */
    HieraMeterArray parts; /* hash table of uint32_t: numbers of sites that are parts of other sites; 0: empty slot */
    struct {
        uint32_t of, comm, part; /* part that hiera_meter_part() returned for of, comm and peer; 0: none */
        int64_t peer;
    } last_part;                    /* the last call of hiera_meter_part() */
    HieraMeterArray peers;          /* int64_t, ascending: the peers to which counters are restricted */
    int64_t mpi_from_ns, mpi_to_ns; /* from when to when MPI can be used */
    HieraMeterRequests *requests;
    bool has_own_requests;
    bool stray_starts, stray_receives; /* a started request was unknown; a completed receive was not posted before */
    uint32_t *inside;                  /* by rule: number of open operations that have the name `inside` of the rule */
    HieraMeterArray *kept;             /* by rule: stored executions, int64_t as in HieraKept */
    const HieraKeeper *keeper;         /* stores executions outside the meter; may be NULL */
    int64_t *hidden;                   /* for each rule: number of executions of which only sums are known */
    HieraMeterCounter *counters;
    bool *vague;        /* for each counter: true if some of its calls are known only as sums */
    int64_t *vague_sum; /* by counter: total over the calls that are known only as sums */
    HieraVerdicts *verdicts;
    int64_t *totals;
    double variables[HIERA_MOST_VARIABLES]; /* values of variables for the next execution of `rule_of_variables` that
                                               ends */
    unsigned n_variables;
    bool has_variables; /* true from hiera_meter_set_variables() until an execution has used `variables` */
    uint32_t rule_of_variables;
    HieraOutcome outcome;
    int64_t thread;  /* whose operations come */
    int64_t *values; /* buffer for the values of one rule's counters */
    bool *unknown;
};

/* Return the part that hiera_meter_part() returned last, if its arguments were the same; else 0. */
static inline uint32_t hiera_meter_last_part(const HieraMeter *meter, uint32_t of, uint32_t comm, int64_t peer)
{
    bool is_same = meter->last_part.of == of && meter->last_part.comm == comm && meter->last_part.peer == peer;
    return is_same && of != 0 ? meter->last_part.part : 0;
}

/* Ensure capacity for `more` further items of `size` bytes; if memory is short, set meter->lost and return false. */
bool hiera_meter_room(HieraMeter *meter, HieraMeterArray *array, size_t size, size_t more);

/* Ensure capacity for one more site and its sums. False: memory is short. */
bool hiera_meter_room_for_site(HieraMeter *meter);

extern const HieraMeterMemory hiera_meter_malloced;

/* Add the pending sums of all sites to the totals of their counters; called before totals are read. */
void hiera_meter_settle_sites(HieraMeter *meter);
static inline void hiera_meter_settle(HieraMeter *meter)
{
    if (meter->tally.listed != 0)
        hiera_meter_settle_sites(meter);
}

/* Make the arrays of the outcome. @return  false if there is no memory (meter_memory.c) */
bool hiera_meter_make_outcome(HieraMeter *meter);

/* Remove all sites, so that new ones include added rules; if operations are open, only parts. (meter_sites.c) */
void hiera_meter_forget_sites(HieraMeter *meter);
/* Fill `peers` with the peers to which counters are restricted. (meter_sites.c) */
void hiera_meter_list_peers(HieraMeter *meter);

/* Store an ended execution for a rule over ranks. @param below  number of `frames` below that of the execution */
void hiera_meter_keep(HieraMeter *meter, const HieraRule *rule, size_t below, const HieraEvaluation *evaluation,
                      const HieraInstance *instance);
/* Add the executions that the meter of another thread has stored. (meter_kept.c) */
void hiera_meter_keep_of(HieraMeter *meter, const HieraMeter *thread);

/* Whether a counter counts a call with this communicator and peer. */
static inline bool hiera_meter_counts(const HieraMeterCounter *counter, const HieraMeteredCall *call)
{
    return (counter->comm == 0 || counter->comm == call->comm) &&
           (!counter->has_peer || (call->has_peer && counter->peer == call->peer));
}

static inline const HieraMeterSite *hiera_meter_peek_site(const HieraMeter *meter, uint32_t site)
{
    return &((const HieraMeterSite *)meter->sites.items)[site];
}

static inline const uint32_t *hiera_meter_list(const HieraMeter *meter, uint32_t first)
{
    return meter->lists.items ? (const uint32_t *)meter->lists.items + first : NULL; /* NULL + 0 is undefined in C */
}
