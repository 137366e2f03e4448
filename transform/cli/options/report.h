/* Messages to the user: errors and findings on standard error, and the report of --validate. */
#pragma once

#include "cli/findings/rules.h"
#include "hiera_measure.h"

/* Exit statuses. */
enum { EXIT_GOOD = 0, EXIT_CHECK_FAILED = 1, EXIT_WRONG_USE = 2, EXIT_UNREADABLE = 3 };

/* Print a message of one line, as `hiera-transform: MESSAGE`, on standard error. */
void report_message(const char *message);
/* Print a message of several lines on standard error. The first line begins with `hiera-transform: `. */
void report_lines(const char *message);
/* Findings that standard output already has, beside the results: none, those that make results incomplete, or all. */
typedef enum { SAID_NOTHING, SAID_PARTIAL, SAID_ALL } Said;
/* Return which findings a format writes beside the tables, so that they are not said on standard error. */
Said report_said_by(HieraFormat format);
/* Print a line for each finding on standard error, except the findings in `said`. Files that could not be read are
 * always reported.
 * @param quiet  print only errors */
void report_findings(const HieraFindings *findings, Said said, gboolean quiet);
/* Write the report of --validate: a line `FILE:LINE: severity: message [rule]` for each finding, errors first, the
 * tables, and a summary. Under the first one that breaks a rule stands where MPI has the rule, and what to change.
 * @param tables  HieraTable * */
void report_validation(const HieraFindings *findings, const GPtrArray *tables, FILE *stream);
/* Write how many findings were suppressed. @param suppressions  NULL: --suppress was not given */
void report_suppressed(const Suppressions *suppressions, FILE *stream);
