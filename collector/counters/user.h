/* Counters of the program: user:NAME. */
#ifndef HIERA_COUNTERS_USER_H
#define HIERA_COUNTERS_USER_H

#include "counter.h"

/* What the program says of one. */
typedef struct HieraUserCounter {
    const char *name, *unit, *help;
    bool is_level;
    unsigned type;                /* of the variable, HIERA_TYPE_… */
    const volatile void *address; /* NULL: a function */
    double (*function)(void *data);
    void *data;
} HieraUserCounter;

/* Register it, or another one of this name. Returns the counter; NULL: that is not possible. */
HieraNamedCounter *hiera_user_register(const HieraUserCounter *asked);

/* The variable or function is no longer there. */
void hiera_user_remove(const char *name);

/* A reading that the program made itself: from now on it is what is read. */
HieraNamedCounter *hiera_user_sample(const char *name, double value);

#endif
