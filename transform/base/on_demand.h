/* Libraries that few runs need: hiera-transform loads them when the first of their functions is called, since they take
 * two thirds of the time in which it starts. Files named *_on_demand.c define these functions; only that program is
 * linked with them. */
#ifndef HIERA_ON_DEMAND_H
#define HIERA_ON_DEMAND_H

#include <glib.h>

/* A function of a library, which is loaded. If that fails, the program ends with a message. */
void *hiera_on_demand(const char *library, const char *function);

/* Define a function of a library that is loaded on demand, as its header declares it. */
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

#endif
