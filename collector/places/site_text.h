/* A call site as text in a trace. */
#pragma once

#include <stddef.h>
#include <string.h>

enum { HIERA_SITE_ROOM = 64 };

typedef struct HieraSiteText {
    const void *address; /* return address of the call, the key of the cache */
    const void *place;   /* address that `attributes` describes; NULL: `address` itself */
    char *attributes; /* ` file="md.c" line="58"`, ready for an element; has at least HIERA_SITE_ROOM readable bytes */
    size_t length;
} HieraSiteText;

/* Return the last component of a path, the file's name without its folder. */
static inline const char *hiera_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
