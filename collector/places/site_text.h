/* Text of a call site in a trace. */
#ifndef HIERA_SITE_TEXT_H
#define HIERA_SITE_TEXT_H

#include <stddef.h>
#include <string.h>

enum { HIERA_SITE_ROOM = 64 };

typedef struct HieraSiteText {
    const void *address; /* to which the call returns */
    const void *place;   /* that the text names; NULL: `address` */
    char *attributes; /* ` file="md.c" line="58"`, ready for an element; has at least HIERA_SITE_ROOM readable bytes */
    size_t length;
} HieraSiteText;

/* Name of a file without its folder. */
static inline const char *hiera_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#endif
