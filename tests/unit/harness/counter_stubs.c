/* What counters.c has, for tests of files below it. */
#include "counters/counter.h"

#include <string.h>

void hiera_counter_name(HieraNamedCounter *counter, const char *family, const char *rest)
{
    strcpy(counter->name, family);
    strcat(counter->name, rest);
}

void hiera_counter_describe(HieraNamedCounter *counter, const char *unit, const char *help)
{
    (void)counter;
    (void)unit;
    (void)help;
}
