/* How wide text is on a terminal: characters of Chinese, Japanese and Korean, and most pictures, take two columns
 * there; accents that combine with the character before them take none. */
#pragma once

#include <glib.h>

/* Return the number of terminal columns of a text. @param length  of the text in bytes; -1: up to its '\0' */
glong hiera_text_width(const char *text, gssize length);
/* Return the longest tail of a text that takes at most `width` terminal columns. */
const char *hiera_text_last(const char *text, glong width);
