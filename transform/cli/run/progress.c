#include "progress.h"
#include <stdio.h>

#define AFTER_US   (2 * G_USEC_PER_SEC) /* time from the begin of reading to the first progress bar */
#define BAR_WIDTH  40
#define LINE_WIDTH 79

char *progress_format(guint64 done_bytes, guint64 total_bytes, gint64 elapsed_us)
{
    char bar[BAR_WIDTH + 1] = "";
    double share = total_bytes > 0 ? MIN((double)done_bytes / (double)total_bytes, 1) : 1;
    double seconds = (double)MAX(elapsed_us, 1) / G_USEC_PER_SEC;
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < (int)(share * BAR_WIDTH) ? '#' : '.';
    double rate = (double)done_bytes / seconds / 1e6;
    guint64 left = done_bytes > 0 && share < 1 ? (guint64)(seconds * (1 - share) / share + 0.5) : 0;
    return g_strdup_printf("reading [%s] %3d %%  %.*f MB/s  %" G_GUINT64_FORMAT ":%02" G_GUINT64_FORMAT " left", bar,
                           (int)(share * 100), rate < 10 ? 1 : 0, rate, left / 60, left % 60);
}

/* Compute the time since the first call with this Progress. @return whether the bar is due to be shown */
static gboolean is_due(Progress *progress, gint64 *elapsed_us)
{
    gint64 now_us = g_get_monotonic_time();
    if (progress->begun_us == 0)
        progress->begun_us = now_us;
    *elapsed_us = now_us - progress->begun_us;
    return *elapsed_us >= AFTER_US;
}

static void show(Progress *progress, const char *line)
{
    fprintf(stderr, "\r%-*s", LINE_WIDTH, line);
    fflush(stderr);
    progress->shown = TRUE;
}

void progress_read(guint64 done_bytes, guint64 total_bytes, gpointer user)
{
    gint64 elapsed_us;
    if (!is_due(user, &elapsed_us))
        return;
    g_autofree char *line = progress_format(done_bytes, total_bytes, elapsed_us);
    show(user, line);
}

void progress_stage(Progress *progress, const char *name)
{
    gint64 elapsed_us;
    if (is_due(progress, &elapsed_us))
        show(progress, name);
}

void progress_end(Progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r%*s\r", LINE_WIDTH, "");
    progress->shown = FALSE;
}
