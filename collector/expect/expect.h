/* Rules that are checked while the program runs: HIERA_ASSERT. Without rules nothing here does anything. All functions but
 * the first two are called with the lock held; they are safe in a signal handler. */
#ifndef HIERA_EXPECT_H
#define HIERA_EXPECT_H

#include "assertions/meter.h"
#include "record/record.h"

/* Read the rules. */
void hiera_expect_load(void);
/* Print on standard error why they could not be read. */
void hiera_expect_complain(void);

/* The rules; NULL if there are none. */
const HieraRules *hiera_expect_rules(void);

/* Tell the meter of a thread its records that were not told yet: up to the first MPI call in progress or, if `all`, that
 * one too, as a call that has no end. Call it before they are written: afterwards the handles in them may be forgotten. */
void hiera_expect_tell(HieraThread *thread, bool all);
/* The buffer of a thread begins again. */
void hiera_expect_rewind(HieraThread *thread);
/* A thread ends: what it did is added to what the process did. */
void hiera_expect_end_thread(HieraThread *thread);

/* The process ends. Return what became of the rules in it, with all of its threads; NULL if nobody knows.
 *
 * @param threads  those that run. If they run on nevertheless, what they do is lost: a later outcome says so
 * @param early    the process ends before its time, and it is known why. Else what is still open is a reason for doubt */
const HieraOutcome *hiera_expect_finish(HieraThread *threads, const HieraMeteredRank *rank, bool early);

#endif
