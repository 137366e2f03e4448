/* Call sites: return address → file and line, when a trace is written. */
#ifndef HIERA_SITE_H
#define HIERA_SITE_H

#include <stddef.h>

enum { HIERA_SITE_ROOM = 64 };

typedef struct HieraSite {
    const void *address;
    char *attributes; /* ` file="md.c" line="58"`, ready for an element; at least HIERA_SITE_ROOM bytes can be read */
    size_t length;
} HieraSite;

/* Where the call returned to `address` was made. Resolved once per address, by libdw if that can be loaded, else the
 * object and the offset in it. Never NULL; owned by this module. Called with the writer's lock held. */
const HieraSite *hiera_site_resolve(const void *address);

/* What an instrumented function is called, demangled if it is of C++ and the process can do that, and the file that it
 * stands in; "libfoo.so+0x1a2b" without debug information and symbols, and no file. Resolved once, as above. */
typedef struct HieraFunctionName {
    struct HieraFunctionName *next;
    const void *address;
    char *name, *file; /* file: NULL if it is not known */
} HieraFunctionName;

const HieraFunctionName *hiera_site_function_name(const void *address);

/* Name of the function at `address`, or NULL. */
const char *hiera_site_function(const void *address);

#endif
