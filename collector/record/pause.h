/* Access to the times in which recording was off: hiera_pause(), hiera_resume() and MPI_Pcontrol. */
#pragma once

#include <stdint.h>

/* One pause of recording; the last entry: several pauses added up, if there were more pauses than entries. */
typedef struct HieraPause {
    uint64_t begin, end; /* begin and end of the pause in ticks; end 0: the pause has not ended */
    uint64_t calls;      /* number of MPI calls during the pause */
    uint64_t times;      /* number of pauses that this entry stands for */
} HieraPause;

/* Count an MPI call that is not recorded because of a pause. Call it only while recording is off. */
void hiera_pause_note_call(void);

/* Return the number of entries that hiera_pause_get() can return. */
unsigned hiera_pause_count(void);
HieraPause hiera_pause_get(unsigned i);
