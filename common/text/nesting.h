/* How deep in brackets a place of a text is. */
#pragma once

#include <string.h>

/* How a character changes the nesting depth: 1, opening; -1, closing; 0, no bracket. @param brackets  such as "()[]" */
static inline int hiera_nesting(char c, const char *brackets)
{
    const char *at = c ? strchr(brackets, c) : NULL;
    if (!at)
        return 0;
    return (at - brackets) % 2 == 0 ? 1 : -1;
}
