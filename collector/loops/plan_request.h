/* Runs hiera-image, which reads the files of this process and writes plans. */
#pragma once

#include <stddef.h>

/* Plans, one behind the other; they are never freed. */
typedef struct HieraPlans {
    char *bytes;
    size_t n;
    const char *problem; /* why there are none; NULL on success */
} HieraPlans;

/* Request plans for these functions, separated by commas (not inside of brackets), in these files; the list of files
 * ends with NULL. Waits for the answer, for a minute at most. Not for signal handlers; allocates memory. */
HieraPlans hiera_plan_request(const char *functions, char *const *files);
