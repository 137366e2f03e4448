/* What is written of a place in the program. */
#ifndef HIERA_SITE_TEXT_H
#define HIERA_SITE_TEXT_H

#include <stddef.h>
#include <string.h>

enum { HIERA_SITE_ROOM = 64 };

typedef struct HieraSiteText {
    const void *address;
    char *attributes; /* ` file="md.c" line="58"`, ready for an element; at least HIERA_SITE_ROOM bytes can be read */
    size_t length;
} HieraSiteText;

/* The name of a file without its folder. */
static inline const char *hiera_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#endif
