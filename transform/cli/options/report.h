/* Messages to the user: errors and findings on standard error, and the report of --validate. */
#pragma once

#include "hiera_measure.h"

/* Print a line `hiera-transform: MESSAGE` on standard error. */
void report_message(const char *message);
/* Print a message of several lines. The first line begins with `hiera-transform: `. */
void report_lines(const char *message);
/* Which findings are part of the results on standard output: none, those that make the results incomplete, or all. */
typedef enum { SAID_NOTHING, SAID_PARTIAL, SAID_ALL } Said;
/* Return which findings the tables of a format contain. */
Said report_said_by(HieraFormat format);
/* Print a line for each finding on standard error, except the findings in `said`. Files that could not be read are
 * always reported.
 * @param quiet  print only errors */
void report_findings(const HieraFindings *findings, Said said, gboolean quiet);
/* Write the report of --validate: a line `FILE:LINE: severity: message` for each finding, the tables, and a summary.
 * @param tables  HieraTable * */
void report_validation(const HieraFindings *findings, const GPtrArray *tables, FILE *stream);
