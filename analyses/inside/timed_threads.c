/* Reads which thread took how long from the text of a trace; see timed_threads.h. */
#include "timed_threads.h"
#include <string.h>

gint hiera_timed_threads_compare(gconstpointer left, gconstpointer right)
{
    const HieraShare *a = left, *b = right;
    return (a->processor > b->processor) - (a->processor < b->processor);
}

/* Read "thread:seconds". @return what follows; NULL: it is something else */
static const char *read_share(const char *text, HieraShare *share)
{
    char *end = NULL;
    guint64 thread = g_ascii_strtoull(text, &end, 10);
    if (end == text || *end != ':' || thread >= HIERA_NONE)
        return NULL;
    gsize length = strcspn(end + 1, " ");
    share->processor = (guint32)thread;
    return hiera_seconds_parse(end + 1, length, &share->time_ns) && share->time_ns >= 0 ? end + 1 + length : NULL;
}

GArray *hiera_timed_threads_of(const HieraTimed *timed)
{
    GArray *shares = g_array_new(FALSE, FALSE, sizeof(HieraShare));
    HieraShare share;
    for (const char *text = timed->by_thread; *text && (text = read_share(text, &share));) {
        text += *text == ' ';
        g_array_append_val(shares, share);
    }
    g_array_sort(shares, hiera_timed_threads_compare);
    return shares;
}

gint64 hiera_timed_threads_slowest(const HieraTimed *timed)
{
    g_autoptr(GArray) shares = hiera_timed_threads_of(timed);
    const HieraShare *most = NULL;
    for (guint i = 0; i < shares->len; i++) {
        const HieraShare *share = &g_array_index(shares, HieraShare, i);
        most = !most || share->time_ns > most->time_ns ? share : most;
    }
    /* if not all threads are recorded, it may be another one */
    gboolean is_known =
        most && (shares->len >= timed->threads || most->time_ns >= timed->thread_ns - timed->thread_ns / 100);
    return is_known ? (gint64)most->processor : -1;
}
