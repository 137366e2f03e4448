/* Complete the trace of a process that was killed, from its kept memory (memory/kept_memory.h), in a process that does
 * nothing else: hiera-recover loads the same libhiera and calls this. */
#pragma once

#include <stdint.h>

typedef enum HieraRecoverStatus {
    HIERA_RECOVER_DONE,
    HIERA_RECOVER_FAILED, /* `report` says why; the trace is unchanged */
    HIERA_RECOVER_AGAIN   /* an address of the killed process is in use in this one: try again in another process */
} HieraRecoverStatus;

typedef struct HieraRecovered {
    uint64_t operations; /* number of operations added to the trace */
    char report[512];
} HieraRecovered;

/* Complete the trace. @param file  descriptor of the file with the kept memory */
HieraRecoverStatus hiera_recover(int file, HieraRecovered *recovered);
