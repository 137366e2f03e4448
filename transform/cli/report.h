/* What goes to standard error: messages and the progress bar. */
#ifndef HIERA_REPORT_H
#define HIERA_REPORT_H

#include "hiera_measure.h"

/* `hiera-transform: FILE:LINE: what is wrong and what to do` */
void report_message(const char *message);
/* What an answer on standard output says already; files that could not be read are reported in any case. */
typedef enum { SAID_NOTHING, SAID_PARTIAL, SAID_ALL } Said;
/* One line per finding that has not been said; `quiet`: errors only. */
void report_findings(const HieraFindings *findings, Said said, gboolean quiet);
/* `FILE:LINE: severity: message` for each, what was sent and received, where time is in the hierarchy (of several
 * levels), and a summary. */
void report_validation(const HieraFindings *findings, const HieraTable *conservation, const HieraTable *hierarchy,
                       FILE *stream);

#endif
