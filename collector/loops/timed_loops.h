/* HIERA_LOOPS: times the loops of functions, which are copied and instrumented when the program is loaded. */
#pragma once

#include "moved.h"
#include "timing.h"

/* At load, before Hiera has begun a thread: copy the functions that HIERA_LOOPS names. Takes the lock. */
void hiera_timed_load(void);

/* Print, once for the job, which functions' loops are not timed, and why. */
void hiera_timed_complain(void);

/* A plan for copies of functions, and the numbers of its first function and loop in the table of times. */
typedef struct HieraTimedPlan {
    const HieraPlan *plan;
    HieraMoved moved;
    const char *problem; /* why the plan's functions are not timed; NULL: they are */
    uint32_t first_function, first_loop;
    uint64_t since, until;   /* ticks between which the functions are timed; until 0: they still are */
    HieraTimedTotal *frozen; /* the times at `until`: of the functions, then of the loops; NULL: not frozen */
    unsigned percent;   /* of a search: share of the function in the samples outside MPI when it was tried; 0: none */
    bool is_superseded; /* a later plan times the same functions and more loops */
} HieraTimedPlan;

enum { HIERA_TIMED_PLANS = 64, HIERA_TIMED_SHARE = 64 };

/* Print which functions of a plan are not timed, and why; with their share of the samples, if a search found them. */
void hiera_timed_complain_of(const HieraTimedPlan *timed);
/* Format the words about this share; "": no search. */
void hiera_timed_put_share(char text[HIERA_TIMED_SHARE], const HieraTimedPlan *timed);

/* All plans so far; the first hiera_timed_n_plans entries are used. */
extern HieraTimedPlan hiera_timed_plans[HIERA_TIMED_PLANS];
extern unsigned hiera_timed_n_plans;

/* Prepare to time functions while the program runs (HIERA_SEARCH). @return  NULL, or why that is not possible */
const char *hiera_timed_search(void);

/* Add a plan to hiera_timed_plans; NULL: there is no room for it. With the lock held. */
HieraTimedPlan *hiera_timed_add(const HieraPlan *plan);
/* Replace timed->plan by a copy, in memory that survives a kill, if there is any. With the lock held. */
void hiera_timed_keep(HieraTimedPlan *timed);
/* Whether there are plans, or HIERA_SEARCH or hiera-run --attach may make some later. */
bool hiera_timed_may_be(void);
/* Copy the times of a plan's functions and loops, with executions in progress. */
void hiera_timed_copy(const HieraTimedPlan *timed, HieraTimedTotal *functions, HieraTimedTotal *loops);
/* The functions are not timed any more: what executions in progress still take does not count. With the lock held. */
void hiera_timed_freeze(HieraTimedPlan *timed);
/* If *address is in a copy of a function, set it to that address in the original. Returns whether it was in a copy. */
bool hiera_timed_original(uintptr_t *address);
/* Copy the plan's functions and redirect them, in the file loaded at `base`. @return  NULL, or why that failed */
const char *hiera_timed_apply(HieraTimedPlan *timed, uintptr_t base, bool is_running);

/* What events take, as measured by hiera_timing_calibrate(), also of a killed process. */
extern HieraTimedCosts hiera_timed_kept_costs;
