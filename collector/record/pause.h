/* Pauses of recording: hiera_pause(), hiera_resume() and MPI_Pcontrol. */
#ifndef HIERA_PAUSE_H
#define HIERA_PAUSE_H

struct HieraStream;

/* An MPI call came that is not recorded. Only where nothing is recorded anyhow. */
void hiera_pause_note_call(void);

/* The pauses so far, as elements. */
void hiera_pause_put(struct HieraStream *stream);

#endif
