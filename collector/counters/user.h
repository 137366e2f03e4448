/* The family user: counters that the program registers, user:NAME. */
#pragma once

#include "counter.h"

/* A counter as the program describes it when it registers the counter. */
typedef struct HieraUserCounter {
    const char *name, *unit, *help;
    bool is_level;
    unsigned type;                /* type of the variable, HIERA_TYPE_… */
    const volatile void *address; /* the variable; NULL: the value comes from `function` */
    double (*function)(void *data);
    void *data;
} HieraUserCounter;

/* Register a counter, or replace the one of that name. Returns the counter; NULL: invalid name or type, no memory. */
HieraNamedCounter *hiera_user_register(const HieraUserCounter *asked);

/* Make the counter user:NAME unreadable, since its variable or function will no longer exist. */
void hiera_user_remove(const char *name);

/* Record a value that the program has measured; later readings return it, unless the counter is a variable or function.
 */
HieraNamedCounter *hiera_user_sample(const char *name, double value);
