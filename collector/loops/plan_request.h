/* Runs hiera-image, which reads the program and its libraries and plans how functions are copied. */
#pragma once

#include <stddef.h>

/* n bytes of plans (HieraPlan), one behind the other; never freed. */
typedef struct HieraPlans {
    char *bytes;
    size_t n;
    const char *problem; /* why there are no plans; NULL: success */
} HieraPlans;

/* Request plans for these functions, separated by commas (not inside of brackets), in these files; the list of files
 * ends with NULL. Waits for the answer, for a minute at most. Not for signal handlers; allocates memory. */
HieraPlans hiera_plan_request(const char *functions, char *const *files);
