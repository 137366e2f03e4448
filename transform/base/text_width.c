#include "text_width.h"
#include <string.h>

static glong width_of(const char *at)
{
    gunichar c = (guchar)*at < 0x80 ? (guchar)*at : g_utf8_get_char(at);
    if (c < 0x80)
        return 1;
    if (g_unichar_iswide(c))
        return 2;
    return g_unichar_iszerowidth(c) ? 0 : 1;
}

glong hiera_text_width(const char *text, gssize length)
{
    const char *end = length < 0 ? NULL : text + length;
    glong width = 0;
    for (const char *at = text; end ? at < end : *at != '\0'; at = g_utf8_next_char(at))
        width += width_of(at);
    return width;
}

const char *hiera_text_last(const char *text, glong width)
{
    const char *last = text + strlen(text);
    while (last > text) {
        const char *before = g_utf8_prev_char(last);
        if ((width -= width_of(before)) < 0)
            break;
        last = before;
    }
    return last;
}
