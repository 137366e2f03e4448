/* What became of the rules on one rank, as text: for people, and to be read again and added up (hiera-transform
 * --reports). The text of a rank with one rule and one counter:
 *
 *     hiera assertions 1
 *     rank<TAB>RANK<TAB>RANKS<TAB>JOB<TAB>WALL TIME<TAB>KNOWN
 *     rules.txt:1 -> 8/12 = 66.6 %<TAB>NUMBERS …<TAB>RULE
 *     kept<TAB>NUMBERS …                                     (of a rule over ranks, one for each execution)
 *     counter<TAB>TOTAL<TAB>KNOWN
 *     end
 *
 * Real numbers are the bits of a double in hexadecimal, so no digit is lost in any locale. */
#ifndef HIERA_OUTCOME_TEXT_H
#define HIERA_OUTCOME_TEXT_H

#include "meter.h"

/* Write an outcome; safe in a signal handler.
 *
 * @param job  a number that all ranks of one job share
 * @param put  gets the text in pieces, and `to` */
void hiera_outcome_print(const HieraRules *rules, const HieraOutcome *outcome, uint64_t job,
                         void (*put)(void *to, const char *text, size_t length), void *to);

/* Read the text of an outcome again.
 *
 * @param source   its name, for reports
 * @param text     `length` bytes and a NUL
 * @param rules    the same rules
 * @param outcome  gets the numbers; the caller has made room for its arrays, by rule and by counter, zeroed. The operators in
 *                 it are those of `text`, which is changed, and has to outlive it. What is kept of executions is to be freed
 *                 by hiera_outcome_clear()
 * @param report   HIERA_RULES_REPORT bytes: what is wrong
 * @return  false if the text is no whole outcome of these rules */
bool hiera_outcome_read(const char *source, char *text, size_t length, const HieraRules *rules, HieraOutcome *outcome,
                        uint64_t *job, char *report);
/* Free what hiera_outcome_read() has allocated, also after a failure. */
void hiera_outcome_clear(const HieraRules *rules, HieraOutcome *outcome);

#endif
