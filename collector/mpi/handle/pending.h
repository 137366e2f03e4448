/* A request in a call that may complete it. */
#ifndef HIERA_PENDING_H
#define HIERA_PENDING_H

#include <stdbool.h>
#include <stdint.h>

/* What must be remembered of a request before a call that may make its handle invalid. */
typedef struct HieraPending {
    struct HieraSlot *slot;
    uint64_t value; /* its number and marks of requests.c */
    bool gone;      /* MPI_REQUEST_NULL stands in its place; known once the call has returned */
} HieraPending;

/* The number of one that was noted, before the call has returned; 0 if it has none. */
uint32_t hiera_request_listed(const HieraPending *pending);

#endif
