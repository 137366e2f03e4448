/* HIERA_LOOPS: functions are moved when the program is loaded, and their loops are timed. */
#ifndef HIERA_LOOPS_H
#define HIERA_LOOPS_H

#include "moved.h"
#include "timing.h"

/* At load, before anything here has begun a thread. Takes the lock. */
void hiera_loops_load(void);

/* Say, once for the job, what is not timed and why. */
void hiera_loops_complain(void);

/* A plan, and where its functions and loops are in the table of times. */
typedef struct HieraTimedPlan {
    const HieraPlan *plan;
    HieraMoved moved;
    const char *problem; /* why nothing of it is timed; NULL: it is */
    uint32_t first_function, first_loop;
} HieraTimedPlan;

enum { HIERA_TIMED_PLANS = 16 };

/* All plans, n of them. */
extern HieraTimedPlan hiera_timed_plans[HIERA_TIMED_PLANS];
extern unsigned hiera_timed_n_plans;

/* Ticks that an event takes. */
extern double hiera_timed_event_ticks;

#endif
