/* Complete the trace of a process that was killed, from its kept memory (memory/kept_memory.h), in a process that does
 * nothing else: hiera-recover loads the same libhiera and calls this. */
#ifndef HIERA_RECOVER_H
#define HIERA_RECOVER_H

#include <stdint.h>

typedef enum HieraRecoverStatus {
    HIERA_RECOVER_DONE,
    HIERA_RECOVER_FAILED, /* `report` says why; the trace is as before */
    HIERA_RECOVER_AGAIN   /* this process has something at an address of that one: try another process */
} HieraRecoverStatus;

typedef struct HieraRecovered {
    uint64_t operations; /* that the trace has got */
    char report[512];
} HieraRecovered;

/* `file`: a descriptor of the file. */
HieraRecoverStatus hiera_recover(int file, HieraRecovered *recovered);

#endif
