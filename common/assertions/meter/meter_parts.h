/* The insides of a meter. */
#ifndef HIERA_METER_PARTS_H
#define HIERA_METER_PARTS_H

#include "assertions/call_classes.h"
#include "assertions/rules.h"
#include "meter_sums.h"

#include <stddef.h>

/* An array that grows. */
typedef struct HieraMeterArray {
    void *items;
    size_t n, room; /* items */
} HieraMeterArray;

/* What the rules have to do with operations of one name: parts of `lists`. */
typedef struct HieraMeterSite {
    bool is_mpi;
    bool plain;           /* its counters count all of its calls, whatever their communicators and peers */
    uint8_t role, starts; /* HieraCallRole */
    uint32_t of, comm,
        peer; /* if it is a part: of which site, the communicator, and the peer as hiera_meter_asked_peer() has it */
    uint32_t counters, rules, insides;   /* where they begin: counters it may raise, rules about its executions, rules
                                            about executions inside it */
    uint16_t n_times, n_calls, n_others; /* counters of times, then those of calls, then those of messages and bytes */
    uint16_t n_rules, n_insides;
} HieraMeterSite;

/* What a call, or one of its requests, gives counters to count. */
typedef struct HieraMeteredCall {
    uint32_t comm;
    int64_t peer;
    bool has_peer;
    int64_t amounts[HIERA_N_AMOUNTS];
} HieraMeteredCall;

/* A counter, as a call raises it. */
typedef struct HieraMeterCounter {
    uint8_t amount; /* HIERA_AMOUNT_… */
    bool has_peer;
    uint32_t comm; /* hiera_meter_comm() of its communicator, 0: any */
    int64_t peer;
} HieraMeterCounter;

/* An operation that has not ended. */
typedef struct HieraMeterOpen {
    uint32_t site;
    uint32_t n_frames; /* before it */
    int64_t start_ns;
    uint64_t row;
} HieraMeterOpen;

/* An execution that a rule is about, and that has not ended. */
typedef struct HieraMeterFrame {
    uint32_t rule;
    size_t noted; /* where the totals at its begin are */
} HieraMeterFrame;

struct HieraMeter {
    HieraMeterTally tally; /* first: hiera_meter_tally() */
    HieraMeterMemory memory;
    const HieraRules *rules;
    size_t n_rules, n_counters;
    bool wants_requests; /* a counter counts messages or bytes */
    bool has_comms;      /* a counter asks for a communicator */
    bool remembers;      /* … and for bytes received on it: only the call that posts a receive knows it */
    bool lost;           /* operations, or the memory for them */
    bool open_call;      /* the end of an MPI call is not known */
    uint64_t unkept;     /* open operations for which there was no memory: inside the innermost one that is kept */
    uint32_t n_mpi;      /* open MPI calls */
    bool counts;         /* the innermost open operation is counted */
    uint32_t site;       /* of it; and its communicator, peer and bytes sent, for its requests */
    HieraMetered metered;
    HieraMeterArray sites, lists, open, frames, noted;
    HieraMeterArray sums;  /* HieraMeterSums, by site */
    HieraMeterArray parts; /* hashed numbers of sites that are parts; 0: an empty place */
    struct {
        uint32_t of, comm, part; /* 0: none */
        int64_t peer;
    } last_part;                    /* that was asked for */
    HieraMeterArray peers;          /* int64_t: those that counters ask for, rising */
    int64_t mpi_from_ns, mpi_to_ns; /* when MPI can be used */
    HieraMeterRequests *requests;
    bool has_own_requests;
    bool stray_starts, stray_receives; /* of requests of which nothing is known; receives whose post is not known */
    uint32_t *inside;                  /* by rule: how many open operations have the name of its `inside` */
    HieraMeterArray *kept;             /* by rule: numbers of HieraKept */
    const HieraKeeper *keeper;         /* NULL: there is none */
    int64_t *hidden;                   /* by rule: executions of which only sums are known */
    HieraMeterCounter *counters;
    bool *vague;        /* by counter: some of its calls were only summed … */
    int64_t *vague_sum; /* … and what these were together */
    HieraVerdicts *verdicts;
    int64_t *totals;
    double variables[HIERA_MOST_VARIABLES]; /* of the next execution of this rule that ends */
    unsigned n_variables;
    bool has_variables; /* they are told */
    uint32_t rule_of_variables;
    HieraOutcome outcome;
    int64_t *values; /* room for the counters of a rule */
    bool *unknown;
};

/* The part that was asked for last, if it is this one; else 0. */
static inline uint32_t hiera_meter_last_part(const HieraMeter *meter, uint32_t of, uint32_t comm, int64_t peer)
{
    bool is_same = meter->last_part.of == of && meter->last_part.comm == comm && meter->last_part.peer == peer;
    return is_same && of != 0 ? meter->last_part.part : 0;
}

/* Make room for one more item; false, and `lost`, if there is no memory. */
bool hiera_meter_room(HieraMeter *meter, HieraMeterArray *array, size_t size, size_t more);

/* The same for one more site and its sums. */
bool hiera_meter_room_for_site(HieraMeter *meter);

extern const HieraMeterMemory hiera_meter_malloced;

/* Raise counters by what their sites have summed up: before totals are read. */
void hiera_meter_settle_sites(HieraMeter *meter);
static inline void hiera_meter_settle(HieraMeter *meter)
{
    if (meter->tally.listed != 0)
        hiera_meter_settle_sites(meter);
}

/* Make room for the outcome. @return  false if there is no memory (meter_memory.c) */
bool hiera_meter_make_outcome(HieraMeter *meter);

/* Forget the numbers of operations, unless some are open. (meter_sites.c) */
void hiera_meter_forget_sites(HieraMeter *meter);
/* Find out which peers counters ask for. (meter_sites.c) */
void hiera_meter_list_peers(HieraMeter *meter);

/* Keep an execution that has just ended, for a rule over ranks. @param below  open frames below its own */
void hiera_meter_keep(HieraMeter *meter, const HieraRule *rule, size_t below, const HieraEvaluation *evaluation,
                      const HieraInstance *instance);
/* Add what another thread kept. (meter_kept.c) */
void hiera_meter_keep_of(HieraMeter *meter, const HieraMeter *thread);

/* Does a counter count a call? */
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

#endif
