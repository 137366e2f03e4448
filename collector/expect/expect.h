/* Rules that are checked while the program runs: those of the file HIERA_ASSERT, and those in the source of the program
 * (source.h). Without rules nothing here does anything. All functions but hiera_expect_load() and
 * hiera_expect_complain() are called with the lock held; they are safe in a signal handler. */
#ifndef HIERA_EXPECT_H
#define HIERA_EXPECT_H

#include "assertions/meter/meter.h"
#include "record/record.h"
#include "rules_from.h"

/* Read the rules of the file. */
void hiera_expect_load(void);
/* Read `on_violation` of HIERA_MORE. (violations.c) */
void hiera_expect_load_violations(void);
/* Say which rules of the file do not hold in this thread, each once. (violations.c) */
void hiera_expect_say_rules(const HieraMeter *meter);
/* Print on standard error why they could not be read. */
void hiera_expect_complain(void);

/* The rules; NULL if there are none. */
HieraRules *hiera_expect_rules(HieraRulesFrom from);
bool hiera_expect_any(void);
/* Whether an object of the process that is loaded now has assertions in its source. (expect/source_seen.c) */
bool hiera_expect_has_source(void);
/* Rules come into being. */
void hiera_expect_set_rules(HieraRulesFrom from, HieraRules *rules);

/* MPI_Finalize comes. */
void hiera_expect_set_finalize(uint64_t ticks);

/* Tell the meters of a thread its records that were not told yet: up to the first MPI call in progress or, if `all`,
 * that one too, as a call that has no end. Call it before they are written: afterwards the handles in them may be
 * forgotten. */
void hiera_expect_tell(HieraThread *thread, bool all);
/* The verdicts of a thread on a rule of the source so far; NULL if nobody knows. */
const HieraVerdicts *hiera_expect_verdicts(const HieraThread *thread, unsigned rule);
/* The buffer of a thread begins again. */
void hiera_expect_rewind(HieraThread *thread);
/* A thread ends: what it did is added to what the process did. */
void hiera_expect_end_thread(HieraThread *thread);

/* Has any thread recorded anything, of those that run or have ended? */
bool hiera_expect_has_seen(const HieraThread *threads);

/* The process ends. Find what became of its rules, with all of its threads.
 *
 * @param threads   those that run. If they run on nevertheless (an exec that fails), a later outcome has all of it, but
 * what is open now stays unknown
 * @param early     the process ends before its time, and it is known why. Else what is still open is a reason for doubt
 * @param outcomes  by origin of the rules; NULL: there are none, or nobody knows */
void hiera_expect_finish(HieraThread *threads, const HieraMeteredRank *rank, bool early,
                         const HieraOutcome *outcomes[HIERA_N_RULES_FROM]);

#endif
