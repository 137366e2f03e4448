/* The progress bar on standard error: percentage, speed and remaining time. It appears after two seconds. */
#pragma once

#include <glib.h>

/* State of the progress bar; zeros at the start. */
typedef struct {
    gint64 begun_us; /* begin of reading, on the monotonic clock; 0: not begun */
    gboolean shown;
} Progress;

/* Show how much of the traces is read. A HieraProgress, whose user data is a Progress. */
void progress_read(guint64 done_bytes, guint64 total_bytes, gpointer progress);
/* Show the name of a stage after reading, without a bar, because its duration cannot be estimated. */
void progress_stage(Progress *progress, const char *name);
/* Erase the progress bar. */
void progress_end(Progress *progress);

/* Return a line like "reading [####....]  45 %  312 MB/s  0:03 left", at most 79 columns wide; to be freed with
 * g_free. */
char *progress_format(guint64 done_bytes, guint64 total_bytes, gint64 elapsed_us);
