/* Pauses of recording: hiera_pause(), hiera_resume() and MPI_Pcontrol. */
#pragma once

#include <stdint.h>

/* One pause; or the sum of several, if there were more pauses than entries. */
typedef struct HieraPause {
    uint64_t begin, end; /* time in ticks; end 0: the pause has not ended */
    uint64_t calls;      /* MPI calls during the pause */
    uint64_t times;      /* number of pauses that this entry stands for */
} HieraPause;

/* Count an MPI call that is not recorded. Call it only while recording is off. */
void hiera_pause_note_call(void);

/* Access to all pauses so far. */
unsigned hiera_pause_count(void);
HieraPause hiera_pause_get(unsigned i);
