/* HIERA_LOOPS: functions are moved when the program is loaded, and their loops are timed. */
#pragma once

#include "moved.h"
#include "timing.h"

/* Move the functions. Called at load, before the collector has begun a thread. Takes the lock. */
void hiera_timed_load(void);

/* Print, once for the job, which functions are not timed, and why. */
void hiera_timed_complain(void);

/* A plan, with the numbers of its first function and loop in the table of times. */
typedef struct HieraTimedPlan {
    const HieraPlan *plan;
    HieraMoved moved;
    const char *problem; /* why the plan is not in force; NULL if it is */
    uint32_t first_function, first_loop;
    bool is_superseded; /* a later plan reports the same functions, and more */
} HieraTimedPlan;

enum { HIERA_TIMED_PLANS = 64 };

/* All plans; the first hiera_timed_n_plans entries are used. */
extern HieraTimedPlan hiera_timed_plans[HIERA_TIMED_PLANS];
extern unsigned hiera_timed_n_plans;

/* Prepare to time functions while the program runs. @return  NULL, or why that is not possible */
const char *hiera_timed_search(void);

/* Add a plan; with the lock held. NULL if there is no room for it. */
HieraTimedPlan *hiera_timed_add(const HieraPlan *plan);
/* Copy the plan of `timed`, into kept memory if there is any (memory/kept_memory.h). With the lock held. */
void hiera_timed_keep(HieraTimedPlan *timed);
/* Whether there are plans, or may be some later. */
bool hiera_timed_may_be(void);
/* Convert an address in a copy to the original one (places/originals.h). */
bool hiera_timed_original(uintptr_t *address);
/* Put a plan in force for the file that is loaded at `base`. @return  NULL, or why that failed */
const char *hiera_timed_apply(HieraTimedPlan *timed, uintptr_t base, bool is_running);

/* Ticks that an event takes, as measured by hiera_timing_calibrate(). */
extern double hiera_timed_event_ticks;
