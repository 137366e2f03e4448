/* A request during a call that may complete it. */
#ifndef HIERA_PENDING_H
#define HIERA_PENDING_H

#include <stdbool.h>
#include <stdint.h>

/* Saved before the call, because the call may free the handle. */
typedef struct HieraPending {
    struct HieraSlot *slot;
    uint64_t value; /* its number, and flags of requests.c */
    bool gone;      /* MPI has set it to MPI_REQUEST_NULL; valid after the call has returned */
} HieraPending;

/* The number of a saved request while the call is in progress; 0 if it has none. */
uint32_t hiera_request_listed(const HieraPending *pending);

#endif
