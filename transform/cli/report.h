/* What goes to standard error: messages and the progress bar. */
#ifndef HIERA_REPORT_H
#define HIERA_REPORT_H

#include "hiera_trace.h"

/* `hiera-transform: FILE:LINE: what is wrong and what to do` */
void report_message(const char *message);
/* One line per finding from `first` on. `said`: those that the table says on standard output are left out; `quiet`:
 * notes and warnings are left out. */
void report_findings(const HieraFindings *findings, gboolean said, gboolean quiet);
/* `FILE:LINE: severity: message` for each, and a summary. */
void report_validation(const HieraFindings *findings, FILE *stream);

/* A HieraProgress, if standard error is a terminal; its user data is a zeroed Progress. */
typedef struct {
    gint64 begun_us;
    gboolean shown;
} Progress;
void report_progress(double share, gpointer progress);
void report_progress_end(Progress *progress);

#endif
