/* Complete the trace of a process that was killed, from its kept memory (memory/kept_memory.h), in a process that does
 * nothing else: hiera-recover loads the same libhiera and calls this. */
#pragma once

#include <stdint.h>

typedef enum HieraRecoverStatus {
    HIERA_RECOVER_DONE,
    HIERA_RECOVER_FAILED, /* the trace is unchanged; `report` says why */
    HIERA_RECOVER_AGAIN   /* memory cannot have the killed process's address here: try again in another process */
} HieraRecoverStatus;

typedef struct HieraRecovered {
    uint64_t operations; /* number of operations that were added to the trace */
    char report[512];
} HieraRecovered;

/* Complete the trace of a killed process. @param file  descriptor of the file with its kept memory */
HieraRecoverStatus hiera_recover(int file, HieraRecovered *recovered);
