/* The life of the collector in a process: loaded → joined (MPI_Init) → settled (MPI_Finalize) → closed (exit). */
#ifndef HIERA_SESSION_H
#define HIERA_SESSION_H

#include "document/session_state.h"
#include "job/job.h"

/* From now on write into subfolder `name` of the trace folder. If it cannot be made, nothing is recorded. */
void hiera_session_use_subfolder(const char *name);

/* Open the trace of this job. Returns 0 or the errno. */
int hiera_session_join(const HieraJob *job);

/* The program is about to go on: what has been done since MPI_Init returned is not its own time. The header has that in
 * case nobody writes it again. */
void hiera_session_put_init(void);

/* At MPI_Finalize: write everything and complete the trace. Recording goes on. */
void hiera_session_settle(uint64_t finalize_ticks);

/* Set a better comparison of clocks, and write it into the header of the trace. */
void hiera_session_set_clock(const HieraClockFit *fit);

/* Write everything now; afterwards the trace is complete. `all`: also MPI calls in progress, which will not return. */
void hiera_session_write_all(bool all);

/* Write everything for the last time: the process ends now. If MPI_Finalize was not called, the trace gets the cause.
 * `name`: what the value means or who ends the process, NULL if there is nothing to say; it is used later. `careful`: a
 * signal handler runs for sure; false: unknown. */
void hiera_session_end(const char *cause, int value, const char *name, bool careful);

/* Write everything because MPI is about to end the process: first as fast as possible, then again with the lines of
 * call sites. Returns false if the end of the process is noted already. hiera_session_live_on() takes the note back if
 * the process did not end. */
bool hiera_session_write_before_end(const char *cause, int value, const char *name);
void hiera_session_live_on(void);

/* Note how the process ends. Returns false if an end is noted already: the first cause counts. */
bool hiera_session_note_end(const char *cause, int value, const char *name);

/* In the handler of a fatal signal: try to write everything. Returns false if this is not possible now. */
bool hiera_session_write_carefully(void);

/* Writing has faulted: stop writing for good, and let nobody wait for the lock. */
void hiera_session_give_up(void);

/* All is in the trace: remove the files of its other threads. */
void hiera_session_remove_parts(void);

/* Number of operations lost so far; *error: the errno of the reason, 0 if none. */
uint64_t hiera_session_lost(int *error);

#endif
