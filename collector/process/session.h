/* State of the collector in a process: loaded → joined (MPI_Init) → settled (MPI_Finalize) → closed (exit). */
#pragma once

#include "document/session_state.h"
#include "job/job.h"

/* From now on write into subfolder `name` of the trace folder. If the subfolder cannot be made, nothing is recorded. */
void hiera_session_use_subfolder(const char *name);

/* Join the job, and open the trace. Returns 0 or the errno. */
int hiera_session_join(const HieraJob *job);

/* The program is about to continue after MPI_Init: note that the time since MPI_Init returned is not the program's. The
 * time goes into the header now, in case the header is never written again. */
void hiera_session_put_init(void);

/* In MPI_Finalize: write all records and complete the trace. Recording goes on. */
void hiera_session_settle(uint64_t finalize_ticks);

/* Store a better fit of this rank's clock to the reference clock, and write it into the header of the trace. */
void hiera_session_set_clock(const HieraClockFit *fit);

/* Write all records, so that the trace is complete. `all`: also MPI calls in progress, which will not return. */
void hiera_session_write_all(bool all);

/* Write everything for the last time: the process ends now. If MPI_Finalize was not called, the trace gets the cause.
 * `name`: meaning of the value, or name of the library that ends the process; NULL if there is none; the text must stay
 * valid. `careful`: a signal handler certainly runs; false: unknown. */
void hiera_session_end(const char *cause, int value, const char *name, bool careful);

/* Write everything because MPI is about to end the process: first as fast as possible, then again with the lines of
 * call sites. Returns false if the end of the process is noted already. hiera_session_live_on() removes the note if
 * the process did not end. */
bool hiera_session_write_before_end(const char *cause, int value, const char *name);
void hiera_session_live_on(void);

/* Note how the process ends. Returns false if that was noted already: the first cause is kept. */
bool hiera_session_note_end(const char *cause, int value, const char *name);

/* Try to write all records. Called in the handler of a fatal signal. Returns false if this is not possible now. */
bool hiera_session_write_carefully(void);

/* Stop writing for good after a fault in the writer, and release the lock, so that no thread waits for it. */
void hiera_session_give_up(void);

/* Remove the separate files of threads, whose records are now in the complete trace. */
void hiera_session_remove_parts(void);

/* Return the number of operations lost so far; *error becomes the errno of the reason, 0: none was lost. */
uint64_t hiera_session_lost(int *error);
