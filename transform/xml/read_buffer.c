/* See read_buffer.h. */
#include "read_buffer.h"
#include <string.h>

void hiera_window_init(HieraWindow *window, HieraSource *source)
{
    char *bytes = g_malloc(HIERA_WINDOW_BYTES + HIERA_WINDOW_ZEROS);
    memset(bytes, 0, HIERA_WINDOW_ZEROS);
    *window = (HieraWindow){source, bytes, bytes, bytes, FALSE};
}

void hiera_window_clear(HieraWindow *window)
{
    g_free(window->bytes);
}

gboolean hiera_window_fill(HieraWindow *window)
{
    gsize rest = (gsize)(window->end - window->at), filled = rest;
    int n = 1;
    memmove(window->bytes, window->at, rest);
    while (!window->failed && n > 0 && filled < HIERA_WINDOW_BYTES) {
        n = hiera_source_read(window->source, window->bytes + filled, (int)(HIERA_WINDOW_BYTES - filled));
        window->failed = n < 0;
        filled += (gsize)MAX(n, 0);
    }
    window->at = window->bytes;
    window->end = window->bytes + filled;
    memset(window->bytes + filled, 0, HIERA_WINDOW_ZEROS);
    return filled > rest;
}

int hiera_window_read(HieraWindow *window, char *buffer, int size)
{
    if (window->at == window->end)
        hiera_window_fill(window);
    gsize n = MIN((gsize)(window->end - window->at), (gsize)size);
    if (n == 0)
        return window->failed ? -1 : 0;
    memcpy(buffer, window->at, n);
    window->at += n;
    return (int)n;
}
