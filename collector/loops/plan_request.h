/* The process that plans: hiera-image. It reads the files of this process and writes plans. */
#ifndef HIERA_PLAN_REQUEST_H
#define HIERA_PLAN_REQUEST_H

#include <stddef.h>

/* Plans, one behind the other; they stay for ever. */
typedef struct HieraPlans {
    char *bytes;
    size_t n;
    const char *problem; /* why there are none; NULL: there are */
} HieraPlans;

/* Ask for plans for these functions, comma-separated (not inside of brackets), in these files; both lists end with
 * NULL. Waits for the answer, for a minute at most. Not for signal handlers; allocates memory. */
HieraPlans hiera_plan_request(const char *functions, char *const *files);

#endif
