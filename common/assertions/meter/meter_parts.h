/* The internals of a meter. */
#pragma once

#include "assertions/call_classes.h"
#include "assertions/rules.h"
#include "meter_sums.h"

#include <stddef.h>

/* An array that grows. */
typedef struct HieraMeterArray {
    void *items;
    size_t n, room; /* room: capacity in items */
} HieraMeterArray;

/* Counters and rules for operations of one name: ranges of `lists`. */
typedef struct HieraMeterSite {
    bool is_mpi;
    bool plain;              /* its counters count all of its calls, with any communicator and peer */
    uint8_t role, starts;    /* values of HieraCallRole */
    uint32_t of, comm, peer; /* if it is a part: its site, its communicator, and its peer as index + 1 in `peers` */
    uint32_t counters, rules, insides;   /* begins of ranges in `lists`: counters of its calls, rules about its
                                            executions, rules about executions inside it */
    uint16_t n_times, n_calls, n_others; /* numbers of counters: of times, of calls, of messages and bytes */
    uint16_t n_rules, n_insides;
} HieraMeterSite;

/* The amounts that a call, or one of its requests, adds to counters. */
typedef struct HieraMeteredCall {
    uint32_t comm;
    int64_t peer;
    bool has_peer;
    int64_t amounts[HIERA_N_AMOUNTS];
} HieraMeteredCall;

/* The properties of a counter that matter when a call is added. */
typedef struct HieraMeterCounter {
    uint8_t amount; /* one of HIERA_AMOUNT_… */
    bool has_peer;
    uint32_t comm; /* number from hiera_meter_comm(); 0: any communicator */
    int64_t peer;
} HieraMeterCounter;

/* An operation that has not ended. */
typedef struct HieraMeterOpen {
    uint32_t site;
    uint32_t n_frames; /* number of frames when it was opened */
    int64_t start_ns;
    uint64_t row;
} HieraMeterOpen;

/* An open execution of a rule. */
typedef struct HieraMeterFrame {
    uint32_t rule;
    size_t noted; /* index in `noted` of the totals at its begin */
} HieraMeterFrame;

struct HieraMeter {
    HieraMeterTally tally; /* must come first: hiera_meter_tally() */
    HieraMeterMemory memory;
    const HieraRules *rules;
    size_t n_rules, n_counters;
    bool wants_requests; /* some counter counts messages or bytes */
    bool has_comms;      /* some counter counts only calls on one communicator */
    bool remembers;  /* such a counter counts received bytes; only the call that posts a receive has its communicator */
    bool lost;       /* operations were lost, or there was no memory for them */
    bool open_call;  /* the end of some MPI call is not known */
    uint64_t unkept; /* number of open operations that were not stored for lack of memory; all are inside the innermost
                        stored one */
    uint32_t n_mpi;  /* number of open MPI calls */
    bool counts;     /* the innermost open operation is counted */
    uint32_t site;   /* site of the operation that was opened last; `metered` has its other facts, for its requests */
    HieraMetered metered;
    HieraMeterArray sites, lists, open, frames, noted;
    HieraMeterArray sums;  /* HieraMeterSums for each site */
    HieraMeterArray parts; /* hash table of the numbers of sites that are parts; 0: empty */
    struct {
        uint32_t of, comm, part; /* part 0: none */
        int64_t peer;
    } last_part;                    /* the last part that hiera_meter_part() returned */
    HieraMeterArray peers;          /* int64_t: peers that counters are restricted to, ascending */
    int64_t mpi_from_ns, mpi_to_ns; /* time in which MPI can be used */
    HieraMeterRequests *requests;
    bool has_own_requests;
    bool stray_starts, stray_receives; /* some starts had unknown requests; some receives no known post */
    uint32_t *inside;                  /* for each rule: number of open operations with the name of its `inside` */
    HieraMeterArray *kept;             /* for each rule: numbers of HieraKept */
    const HieraKeeper *keeper;         /* stores executions; may be NULL */
    int64_t *hidden;                   /* for each rule: number of executions of which only sums are known */
    HieraMeterCounter *counters;
    bool *vague;        /* for each counter: true if some of its calls are known only as sums */
    int64_t *vague_sum; /* for each counter: their total */
    HieraVerdicts *verdicts;
    int64_t *totals;
    double variables[HIERA_MOST_VARIABLES]; /* values of variables for the next execution of `rule_of_variables` that
                                               ends */
    unsigned n_variables;
    bool has_variables; /* true if `variables` are set */
    uint32_t rule_of_variables;
    HieraOutcome outcome;
    int64_t *values; /* buffer for the counters of a rule */
    bool *unknown;
};

/* The part that hiera_meter_part() returned last, if it is this one; else 0. */
static inline uint32_t hiera_meter_last_part(const HieraMeter *meter, uint32_t of, uint32_t comm, int64_t peer)
{
    bool is_same = meter->last_part.of == of && meter->last_part.comm == comm && meter->last_part.peer == peer;
    return is_same && of != 0 ? meter->last_part.part : 0;
}

/* Make room for `more` items; returns false, and sets `lost`, if there is no memory. */
bool hiera_meter_room(HieraMeter *meter, HieraMeterArray *array, size_t size, size_t more);

/* Make room for one more site and its sums. */
bool hiera_meter_room_for_site(HieraMeter *meter);

extern const HieraMeterMemory hiera_meter_malloced;

/* Add the sums of sites to the counters; called before totals are read. */
void hiera_meter_settle_sites(HieraMeter *meter);
static inline void hiera_meter_settle(HieraMeter *meter)
{
    if (meter->tally.listed != 0)
        hiera_meter_settle_sites(meter);
}

/* Make the arrays of the outcome. @return  false if there is no memory (meter_memory.c) */
bool hiera_meter_make_outcome(HieraMeter *meter);

/* Forget all sites, unless operations are open. (meter_sites.c) */
void hiera_meter_forget_sites(HieraMeter *meter);
/* List the peers that counters are restricted to. (meter_sites.c) */
void hiera_meter_list_peers(HieraMeter *meter);

/* Keep an execution that has just ended, for a rule over ranks. @param below  number of open frames below its own */
void hiera_meter_keep(HieraMeter *meter, const HieraRule *rule, size_t below, const HieraEvaluation *evaluation,
                      const HieraInstance *instance);
/* Add the executions that another thread has kept. (meter_kept.c) */
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
    return (const uint32_t *)meter->lists.items + first;
}
