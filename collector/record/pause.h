/* Pauses of recording: hiera_pause(), hiera_resume() and MPI_Pcontrol. */
#ifndef HIERA_PAUSE_H
#define HIERA_PAUSE_H

#include <stdint.h>

/* One pause, or several for which there was no entry of their own. */
typedef struct HieraPause {
    uint64_t begin, end; /* ticks; end 0: it lasts */
    uint64_t calls;      /* MPI calls that came meanwhile */
    uint64_t times;      /* how many pauses */
} HieraPause;

/* An MPI call came that is not recorded. Only where nothing is recorded anyhow. */
void hiera_pause_note_call(void);

/* The pauses so far. */
unsigned hiera_pause_count(void);
HieraPause hiera_pause_get(unsigned i);

#endif
