/* How deep in brackets a place of a text is. */
#pragma once

#include <string.h>

/* @param brackets  such as "()[]". @return 1: a bracket opens, -1: one closes, 0: it is none of them */
static inline int hiera_nesting(char c, const char *brackets)
{
    const char *at = c ? strchr(brackets, c) : NULL;
    if (!at)
        return 0;
    return (at - brackets) % 2 == 0 ? 1 : -1;
}
