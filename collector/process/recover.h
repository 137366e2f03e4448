/* Complete the trace of a process that was killed, or a copy of the trace of one that still runs, from its kept memory
 * (memory/kept_memory.h), in a process that does nothing else: hiera-recover loads the same libhiera and calls this. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraRecoverOrder {
    int file;           /* descriptor of the file of kept memory */
    bool lives;         /* the process still runs; then `copies` is needed */
    const char *copies; /* folder for a copy of the trace, which is completed; NULL: complete the trace itself */
    const char *stack;  /* of a process that still runs: where its main thread is, as text */
} HieraRecoverOrder;

typedef enum HieraRecoverStatus {
    HIERA_RECOVER_DONE,
    HIERA_RECOVER_FAILED, /* the trace is unchanged; `report` says why */
    HIERA_RECOVER_AGAIN   /* memory cannot have the killed process's address here: try again in another process */
} HieraRecoverStatus;

typedef struct HieraRecovered {
    uint64_t operations; /* number of operations that were added to the trace */
    uint64_t until_ns;   /* of a process that still runs: the time in the trace up to which everything is known */
    char report[512];
} HieraRecovered;

HieraRecoverStatus hiera_recover(const HieraRecoverOrder *order, HieraRecovered *recovered);
