/* The progress bar: how far, how fast, how long still. On standard error, if that is a terminal, for what takes more
 * than two seconds. */
#ifndef HIERA_CLI_PROGRESS_H
#define HIERA_CLI_PROGRESS_H

#include <glib.h>

/* Zeroed at first. */
typedef struct {
    gint64 begun_us; /* on the monotonic clock */
    gboolean shown;
} Progress;

/* A HieraProgress; its user data is a Progress. */
void progress_read(guint64 done_bytes, guint64 total_bytes, gpointer progress);
/* What is done after reading, which nobody can foresee: its name alone. */
void progress_stage(Progress *progress, const char *what);
/* Leave the line clean. */
void progress_end(Progress *progress);

/* "reading [####....]  45 %  312 MB/s  0:03 left"; at most 79 columns. To be freed. */
char *progress_format(guint64 done_bytes, guint64 total_bytes, gint64 elapsed_us);

#endif
