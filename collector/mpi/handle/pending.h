/* A request that a call in progress may complete. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What is saved about a request before the call, because the call may free its handle. */
typedef struct HieraPendingRequest {
    struct HieraHandleSlot *slot;
    uint64_t value; /* number of the request, with the flags that requests.c defines */
} HieraPendingRequest;
