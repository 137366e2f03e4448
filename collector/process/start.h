/* The collector begins: in the process, in its job. */
#ifndef HIERA_START_H
#define HIERA_START_H

#include "job/job.h"

/* Read settings and clock, once; called by the library's constructor or by whatever comes before it. */
void hiera_start_load(void);

/* MPI has begun: open the trace, take over fatal signals. Returns 0 or the errno that kept the trace from being opened.
 */
int hiera_start_join(const HieraJob *job);

#endif
