/* Call sites: return address → file and line, when a trace is written. */
#ifndef HIERA_CALL_SITE_H
#define HIERA_CALL_SITE_H

#include "site_text.h"

/* Where the call returned to `address` was made. Resolved once per address, by libdw if that can be loaded, else the
 * object and the offset in it. Never NULL; owned by this module. Called with the writer's lock held. */
const HieraSiteText *hiera_site_resolve(const void *address);

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
