/* Looks up call sites when a trace is written: return address → file and line. */
#pragma once

#include "site_text.h"

/* Return the call site of a return address: file and line by libdw if it can be loaded, else object and offset. Looked
 * up once per address. Never NULL; the result belongs to this module. Called with the lock held. */
const HieraSiteText *hiera_site_resolve(const void *address);

/* Write the place of an address in the program or a library as "libfoo.so+0x1a2b": of code, or of a variable that is
 * not on a stack. Safe in a signal handler. @return  the length of the object's name; 0: it is no such address, or that
 * is not known (before glibc 2.35) */
size_t hiera_site_in_object(const void *address, char *place, size_t size);

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
