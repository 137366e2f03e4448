/* The outcome of the rules on one rank, as text: for people, and for hiera-transform --reports, which reads and adds up
 * the outcomes. The text of a rank with one rule of a file, one counter, and one assertion in the source:
 *
 *     hiera assertions 3
 *     rank<TAB>RANK<TAB>RANKS<TAB>JOB<TAB>WALL TIME<TAB>KNOWN<TAB>RULES<TAB>ASSERTIONS
 *     traces<TAB>FOLDER                      (empty: there are none)
 *     rules.txt:1 -> 8/12 = 66.6 %<TAB>NUMBERS …<TAB>RULE
 *     kept<TAB>NUMBERS …                     (of a rule over ranks; one line for each execution, in any order)
 *     counter<TAB>TOTAL<TAB>KNOWN
 *     solver.c:12 -> 3/3 = 100.0 %<TAB>NUMBERS …<TAB>EXPECTATION
 *     end
 *
 * Assertions are sorted by file and line. Real numbers are the bits of a double in hexadecimal, so no digit is lost in
 * any locale. */
#pragma once

#include "meter.h"

/* The first and the last line of an outcome as text. */
#define HIERA_OUTCOME_HEAD "hiera assertions 3\n"
#define HIERA_OUTCOME_TAIL "end\n"

/* Callbacks that read back the executions which a keeper (meter.h) has stored outside the outcome. */
typedef struct HieraTaken {
    /* Set `n` to the count of numbers stored for a rule. @return  false: the numbers are lost */
    bool (*count)(void *user, size_t rule, size_t *n);
    /* Pass the numbers to `take` in pieces; the numbers of an execution are never split. @return  false: some could not
     * be read */
    bool (*each)(void *user, size_t rule, void (*take)(void *to, const int64_t *numbers, size_t n), void *to);
    void *user;
} HieraTaken;

/* Rules, and their outcome on a rank. */
typedef struct HieraJudged {
    const HieraRules *rules; /* NULL: there are no rules */
    const HieraOutcome *outcome;
    const HieraTaken *taken; /* reads executions that a keeper has stored; NULL: there are none */
} HieraJudged;

/* The run in which the rules were judged. */
typedef struct HieraJudgedRun {
    uint64_t job;       /* job number, equal on all ranks of a job */
    const char *traces; /* folder of the run's traces; "": no traces */
} HieraJudgedRun;

/* Write an outcome; safe in a signal handler.
 *
 * @param file    the rules of a file
 * @param source  assertions in the source
 * @param run     the run of this outcome
 * @param put     receives `to` and the text, in pieces */
void hiera_outcome_print(const HieraJudged *file, const HieraJudged *source, const HieraJudgedRun *run,
                         void (*put)(void *to, const char *text, size_t length), void *to);

/* Input of hiera_outcome_read(), and a callback for the assertions of a report. */
typedef struct HieraOutcomeReader {
    const HieraRules *rules; /* rules of the file with which the rank ran; NULL: it ran without a file of rules */
    /* Receives an assertion. Its texts, and the operators in its verdicts, point into the text that is read. */
    void (*take)(void *user, const HieraSourceAssertion *assertion, const HieraVerdicts *verdicts, int64_t rank);
    void *user;
} HieraOutcomeReader;

/* Parse the text of an outcome.
 *
 * @param source   its name, for reports
 * @param text     `length` bytes and a NUL
 * @param outcome  receives the numbers; the caller has allocated its arrays, by rule and by counter, filled with zeros.
 * The operators in it point into `text`, which is changed, and must outlive it. Free the kept executions with
 * hiera_outcome_clear()
 * @param run      its folder points into `text`
 * @param report   HIERA_RULES_REPORT bytes: receives the error
 * @return  false if the text is no complete outcome of these rules */
bool hiera_outcome_read(const char *source, char *text, size_t length, const HieraOutcomeReader *reader,
                        HieraOutcome *outcome, HieraJudgedRun *run, char *report);
/* Free the memory that hiera_outcome_read() has allocated, also after a failure. */
void hiera_outcome_clear(const HieraRules *rules, HieraOutcome *outcome);
