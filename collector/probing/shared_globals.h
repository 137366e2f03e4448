/* Variables `#name` and locks that the ranks of one computer share, of the script of HIERA_PROBE.
 *
 * Before the process has joined its job, and if it cannot share, they are its own. No wait takes more than HIERA_SHARED_WAIT_S. */
#ifndef HIERA_SHARED_GLOBALS_H
#define HIERA_SHARED_GLOBALS_H

#include "probes/probes.h"

/* For a HieraProbeHost whose `user` is the script. */
extern const HieraProbeGlobals hiera_shared_globals;

/* The script of this process has such variables or locks. At load. */
void hiera_globals_load(void);

/* The process has joined its job: from now on they are those of all ranks here. All members of the job call this, and hiera_globals_settle()
 * when all of them have. */
void hiera_globals_join(void);
/* @param says  this process tells the user what the job lacks */
void hiera_globals_settle(bool says);

/* The script has ended: say, once here, if a process ended while it changed something. */
void hiera_globals_report(void);

#endif
