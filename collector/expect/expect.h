/* Rules that are checked while the program runs: those of the file HIERA_ASSERT, and those in the source of the program
 * (source.c). Without rules these functions do nothing. All but hiera_expect_load() and hiera_expect_complain() are
 * called with the lock held; they are safe in a signal handler. */
#pragma once

#include "assertions/meter/meter.h"
#include "record/record.h"
#include "rules_from.h"

/* Read the rules of the file that HIERA_ASSERT names. */
void hiera_expect_load(void);
/* Read `on_violation` of HIERA_MORE: what happens when a rule does not hold. (violations.c) */
void hiera_expect_load_violations(void);
/* Print the rules of the file that do not hold in this meter's thread, each rule once per process. (violations.c) */
void hiera_expect_say_rules(const HieraMeter *meter);
/* Print on standard error why the rules of the file could not be read, and limits of single rules. */
void hiera_expect_complain(void);

/* The rules of one origin, file or source; NULL if there are none. */
HieraRules *hiera_expect_rules(HieraRulesFrom from);
bool hiera_expect_any(void);
/* Whether the program or a loaded shared library has assertions in its source. (expect/source_seen.c) */
bool hiera_expect_has_source(void);
/* Set the rules of one origin, file or source. */
void hiera_expect_set_rules(HieraRulesFrom from, HieraRules *rules);

/* Set the time, in ticks, at which MPI_Finalize was called. */
void hiera_expect_set_finalize(uint64_t ticks);

/* Pass records of a thread that are new to its meters: up to the first MPI call in progress or, if `all`, including
 * that call, as one without an end. Call it before the records are written: afterwards the handles in them may be
 * forgotten. */
void hiera_expect_pass(HieraThread *thread, bool all);
/* How often a rule of the source has held and not held in a thread so far; NULL if the thread has no meter. */
const HieraVerdicts *hiera_expect_verdicts(const HieraThread *thread, unsigned rule);
/* Called when the thread's buffer is emptied: its next records are at the buffer's begin. */
void hiera_expect_rewind(HieraThread *thread);
/* Called when a thread ends: add its meters to those of the process. */
void hiera_expect_end_thread(HieraThread *thread);

/* Whether any thread, running or ended, has recorded anything. */
bool hiera_expect_has_seen(const HieraThread *threads);

/* The process ends: compute the outcomes of its rules, over all of its threads.
 *
 * @param threads   running threads. If they run on nevertheless (an exec that fails), a later call covers everything,
 * but operations that are open now stay unknown
 * @param early     the process ends early for a known reason. Else operations that are still open make the outcome
 * doubtful
 * @param outcomes  by origin of the rules; NULL: no rules, or the outcome is unknown */
void hiera_expect_finish(HieraThread *threads, const HieraMeteredRank *rank, bool early,
                         const HieraOutcome *outcomes[HIERA_N_RULES_FROM]);
