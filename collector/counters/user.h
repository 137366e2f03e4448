/* Counters that the program registers: user:NAME. */
#pragma once

#include "counter.h"

/* The description of a counter by the program. */
typedef struct HieraUserCounter {
    const char *name, *unit, *help;
    bool is_level;
    unsigned type;                /* type of the variable, HIERA_TYPE_… */
    const volatile void *address; /* address of the variable; NULL: the value comes from a function */
    double (*function)(void *data);
    void *data;
} HieraUserCounter;

/* Register a counter; one of the same name is replaced. Returns the counter; NULL if that is not possible. */
HieraNamedCounter *hiera_user_register(const HieraUserCounter *asked);

/* The variable or function of the counter no longer exists. */
void hiera_user_remove(const char *name);

/* Record a value that the program has measured; later readings return it, unless the counter is a variable or function.
 */
HieraNamedCounter *hiera_user_sample(const char *name, double value);
