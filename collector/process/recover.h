/* Complete the trace of a process that was killed, or a copy of the trace of one that still runs, from its kept memory
 * (memory/kept_memory.h), in a process that does nothing else: hiera-recover loads the same libhiera and calls this. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* hiera-run --watch asks hiera-recover what a rank does, by HIERA_LOOK and a number of seconds in place of a folder for
 * copies. The answer is a line: rank and size; times in ns: until, in MPI, longest call; 1
 * if there are threads that are not recorded, else 0; name and place of that call. */
#define HIERA_LOOK      "look:"
#define HIERA_LOOK_LINE "%d %d %llu %llu %llu %d %s %s\n"

typedef struct HieraRecoverOrder {
    int file;           /* descriptor of the file of kept memory */
    bool lives;         /* the process still runs; then `copies` is needed */
    bool is_far;        /* it may still run, on another computer; then, too. It is seen up to its last record */
    const char *copies; /* folder for a copy of the trace, which is completed; NULL: complete the trace itself */
    unsigned looks;     /* only look, and for the longest call of so many seconds; 0: no */
    const char *stack;  /* of a process that still runs: where its threads are, as text */
} HieraRecoverOrder;

typedef enum HieraRecoverStatus {
    HIERA_RECOVER_DONE,
    HIERA_RECOVER_FAILED, /* the trace is unchanged; `report` says why */
    HIERA_RECOVER_AGAIN   /* memory cannot have the killed process's address here: try again in another process */
} HieraRecoverStatus;

typedef struct HieraRecovered {
    uint64_t operations; /* number of operations that were added to the trace */
    uint64_t until_ns; /* of a process that runs here: the time in the trace up to which everything is known; else 0 */
    int size;          /* if it `looks`: ranks of the job */
    bool is_partial;   /* … whether there are threads that are not recorded, as hiera_usage_is_partial() */
    uint64_t mpi_ns, longest_ns; /* … as in HieraLook */
    const char *name, *site;
    char report[512];
} HieraRecovered;

HieraRecoverStatus hiera_recover(const HieraRecoverOrder *order, HieraRecovered *recovered);
