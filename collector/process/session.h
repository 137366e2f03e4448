/* The life of the collector in a process: loaded → joined (MPI_Init) → settled (MPI_Finalize) → closed (exit). */
#ifndef HIERA_SESSION_H
#define HIERA_SESSION_H

#include "job/job.h"
#include "session_state.h"

/* From now on write into subfolder `name` of the trace folder. Where that is not possible, nothing is recorded. */
void hiera_session_use_subfolder(const char *name);

/* Open the trace of this job. Returns 0 or the errno that kept it from being opened. */
int hiera_session_join(const HieraJob *job);

/* MPI is about to go: write everything, leave the trace whole. Recording goes on. */
void hiera_session_settle(uint64_t finalize_ticks);

/* The clock is known better: the trace's header says so. */
void hiera_session_set_clock(const HieraClockFit *fit);

/* Write everything now; the trace is whole afterwards. `all`: MPI calls in progress too, since they will not return. */
void hiera_session_write_all(bool all);

/* The process ends now: write all, for the last time. Without MPI_Finalize the trace says by what; `careful` as in
 * hiera_lock_is_careful(), else found out. */
void hiera_session_end(const char *cause, int value, bool careful);

/* MPI is about to end the process, this call will not return: write everything, first as fast as it can be done, then
 * with the names of call sites. False if how the process ends is noted already. hiera_session_live_on(): it did not. */
bool hiera_session_write_before_end(const char *cause, int value, const char *name);
void hiera_session_live_on(void);

/* Note for the trace how the process ends; false if that is noted already: what happens first brings the rest. */
bool hiera_session_note_end(const char *cause, int value, const char *name);

/* In the handler of a fatal signal: write everything on trial. False if that cannot be done now. */
bool hiera_session_write_carefully(void);

/* That faulted: nothing is written any more, and nobody waits for the lock. */
void hiera_session_give_up(void);

/* Operations that are lost so far, and the errno of the reason (0: none). */
uint64_t hiera_session_lost(int *error);

#endif
