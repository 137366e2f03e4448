/* Libraries that few runs need: hiera-transform loads them when one of their functions is first called, because loading
 * them takes two thirds of its start-up time. Files named *_on_demand.c define these functions; only that program is
 * linked with them. */
#pragma once

#include <glib.h>

/* Return a function of a library, which is loaded if necessary. If that fails, the program ends with a message. */
void *hiera_on_demand(const char *library, const char *function);

/* Define a function of a library that is loaded at the first call. The prototype is that of the library's header. */
#define HIERA_ON_DEMAND(library, result, name, parameters, arguments)                                                  \
    result name parameters                                                                                             \
    {                                                                                                                  \
        static gpointer found;                                                                                         \
        gpointer function = g_atomic_pointer_get(&found);                                                              \
        if (!function) {                                                                                               \
            function = hiera_on_demand(library, #name);                                                                \
            g_atomic_pointer_set(&found, function);                                                                    \
        }                                                                                                              \
        return ((__typeof__(&name))function)arguments;                                                                 \
    }
