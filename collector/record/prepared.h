/* Regions whose texts are prepared, for a library of Hiera's own (levels/openmp): they are recorded as quickly as those
 * of a program that have constant texts and no arguments. */
#pragma once

#include "hiera.h"

#include <stddef.h>

enum { HIERA_PREPARED_ROOM = 40 };

/* Arguments of a region, like "name=value name=value". */
typedef struct HieraPrepared {
    size_t length; /* less than HIERA_PREPARED_ROOM */
    char text[HIERA_PREPARED_ROOM];
} HieraPrepared;

/* Do as hiera_open_scope(). Level and name are constants of a library that is never closed. */
HIERA_PUBLIC void hiera_open_prepared(void *scope, const void *call_site, const char *level, const char *name,
                                      const HieraPrepared *args);

/* Record a region that has no length. */
HIERA_PUBLIC void hiera_mark_prepared(void *scope, const void *call_site, const char *level, const char *name,
                                      const HieraPrepared *args);
