/* Looks up call sites when a trace is written: return address → file and line. */
#pragma once

#include "site_text.h"

/* Return the call site of a return address: file and line by libdw if it can be loaded, else object and offset. Looked
 * up once per address. Never NULL; the result belongs to this module. Called with the lock held. */
const HieraSiteText *hiera_site_resolve(const void *address);

/* Name and source file of an instrumented function. C++ names are demangled if the process has a demangler. Without
 * symbols the name is object and offset, "libfoo.so+0x1a2b". Looked up once per address. */
typedef struct HieraFunctionName {
    struct HieraFunctionName *next;
    const void *address;
    char *name, *file; /* name of the function; name of its source file without folder, NULL: unknown */
} HieraFunctionName;

const HieraFunctionName *hiera_site_function_name(const void *address);

/* Name of the function that begins at `address`, from the dynamic symbols; NULL if unknown. */
const char *hiera_site_function(const void *address);
