/* What became of the rules on one rank, as text: for people, and to be read again and added up (hiera-transform
 * --reports). The text of a rank with one rule of a file, one counter, and one assertion in the source:
 *
 *     hiera assertions 3
 *     rank<TAB>RANK<TAB>RANKS<TAB>JOB<TAB>WALL TIME<TAB>KNOWN<TAB>RULES<TAB>ASSERTIONS
 *     traces<TAB>FOLDER                                      (empty: there are none)
 *     rules.txt:1 -> 8/12 = 66.6 %<TAB>NUMBERS …<TAB>RULE
 *     kept<TAB>NUMBERS …                                     (of a rule over ranks, one for each execution, in any
 * order) counter<TAB>TOTAL<TAB>KNOWN solver.c:12 -> 3/3 = 100.0 %<TAB>NUMBERS …<TAB>EXPECTATION end
 *
 * Assertions are sorted by file and line. Real numbers are the bits of a double in hexadecimal, so no digit is lost in
 * any locale. */
#ifndef HIERA_OUTCOME_TEXT_H
#define HIERA_OUTCOME_TEXT_H

#include "meter.h"

/* The first and the last line. */
#define HIERA_OUTCOME_HEAD "hiera assertions 3\n"
#define HIERA_OUTCOME_TAIL "end\n"

/* Executions that a keeper has taken (meter.h), besides those of the outcome. */
typedef struct HieraTaken {
    /* How many numbers of a rule. @return  false: they are lost */
    bool (*count)(void *user, size_t rule, size_t *n);
    /* Hand them on in pieces: all numbers of an execution are in one. @return  false: some could not be read */
    bool (*each)(void *user, size_t rule, void (*take)(void *to, const int64_t *numbers, size_t n), void *to);
    void *user;
} HieraTaken;

/* Rules, and what became of them on a rank. */
typedef struct HieraJudged {
    const HieraRules *rules; /* NULL: there are none */
    const HieraOutcome *outcome;
    const HieraTaken *taken; /* NULL: nothing */
} HieraJudged;

/* A run on which rules were judged. */
typedef struct HieraJudgedRun {
    uint64_t job;       /* a number that all ranks of one job share */
    const char *traces; /* the folder of its traces; "": there are none */
} HieraJudgedRun;

/* Write an outcome; safe in a signal handler.
 *
 * @param file    the rules of a file
 * @param source  assertions in the source
 * @param run     of which it is an outcome
 * @param put     gets the text in pieces, and `to` */
void hiera_outcome_print(const HieraJudged *file, const HieraJudged *source, const HieraJudgedRun *run,
                         void (*put)(void *to, const char *text, size_t length), void *to);

/* Who gets the assertions of a report. */
typedef struct HieraOutcomeReader {
    const HieraRules *rules; /* the rules of the file that the rank had; NULL: none */
    /* Take one. Its texts, and the operators in its verdicts, are parts of the text that is read. */
    void (*take)(void *user, const HieraSourceAssertion *assertion, const HieraVerdicts *verdicts, int64_t rank);
    void *user;
} HieraOutcomeReader;

/* Read the text of an outcome again.
 *
 * @param source   its name, for reports
 * @param text     `length` bytes and a NUL
 * @param outcome  gets the numbers; the caller has made room for its arrays, by rule and by counter, zeroed. The
 * operators in it are those of `text`, which is changed, and has to outlive it. What is kept of executions is to be
 * freed by hiera_outcome_clear()
 * @param run      its folder is a part of `text`
 * @param report   HIERA_RULES_REPORT bytes: what is wrong
 * @return  false if the text is no whole outcome of these rules */
bool hiera_outcome_read(const char *source, char *text, size_t length, const HieraOutcomeReader *reader,
                        HieraOutcome *outcome, HieraJudgedRun *run, char *report);
/* Free what hiera_outcome_read() has allocated, also after a failure. */
void hiera_outcome_clear(const HieraRules *rules, HieraOutcome *outcome);

#endif
