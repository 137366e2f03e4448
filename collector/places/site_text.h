/* Text of a call site in a trace. */
#pragma once

#include <stddef.h>
#include <string.h>

enum { HIERA_SITE_ROOM = 64 };

typedef struct HieraSiteText {
    const void *address; /* return address of the call */
    const void *place;   /* address that the text describes; NULL: `address` */
    char *attributes; /* ` file="md.c" line="58"`, ready for an element; has at least HIERA_SITE_ROOM readable bytes */
    size_t length;
} HieraSiteText;

/* Return the name of a file without its folder. */
static inline const char *hiera_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
