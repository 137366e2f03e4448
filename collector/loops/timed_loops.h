/* HIERA_LOOPS: functions are moved when the program is loaded, and their loops are timed. */
#ifndef HIERA_TIMED_LOOPS_H
#define HIERA_TIMED_LOOPS_H

#include "moved.h"
#include "timing.h"

/* At load, before anything here has begun a thread. Takes the lock. */
void hiera_timed_load(void);

/* Say, once for the job, what is not timed and why. */
void hiera_timed_complain(void);

/* A plan, and where its functions and loops are in the table of times. */
typedef struct HieraTimedPlan {
    const HieraPlan *plan;
    HieraMoved moved;
    const char *problem; /* why nothing of it is timed; NULL: it is */
    uint32_t first_function, first_loop;
    bool is_superseded; /* another one tells the same and more */
} HieraTimedPlan;

enum { HIERA_TIMED_PLANS = 64 };

/* All plans, n of them. */
extern HieraTimedPlan hiera_timed_plans[HIERA_TIMED_PLANS];
extern unsigned hiera_timed_n_plans;

/* Begin to time functions while the program runs. @return  NULL, or why that is not possible */
const char *hiera_timed_search(void);

/* Add a plan; with the lock held. NULL: there is no room for it. */
HieraTimedPlan *hiera_timed_add(const HieraPlan *plan);
/* Copy its plan, into kept memory if there is any (memory/kept_memory.h). With the lock held. */
void hiera_timed_keep(HieraTimedPlan *timed);
/* Are there plans, or may there be some? */
bool hiera_timed_may_be(void);
/* Find the original of an address in a copy (places/originals.h). */
bool hiera_timed_original(uintptr_t *address);
/* Put it in force in the file at `base`. @return NULL, or why it is not */
const char *hiera_timed_apply(HieraTimedPlan *timed, uintptr_t base, bool is_running);

/* Ticks that an event takes. */
extern double hiera_timed_event_ticks;

#endif
