/* A request during a call that may complete it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A request as saved before the call, because the call may free the handle. */
typedef struct HieraPendingRequest {
    struct HieraHandleSlot *slot;
    uint64_t value; /* number of the request, and flags of requests.c */
} HieraPendingRequest;
