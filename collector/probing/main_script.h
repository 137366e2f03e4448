/* The probe script of this process: that of HIERA_PROBE, or what hiera_probes_start() was given. */
#ifndef HIERA_MAIN_SCRIPT_H
#define HIERA_MAIN_SCRIPT_H

#include "watchers.h"

/* Read HIERA_PROBE; unless `wait` of HIERA_PROBE_OPTIONS is set, its script is added as a watcher. */
void hiera_main_script_load(void);
/* Print on standard error why it could not be read. */
void hiera_main_script_complain(void);

/* Add a script as the one of this process. With the lock held. @return  false, with a message, if it is wrong or there
 * is one already */
bool hiera_main_script_start(const char *text);

/* The script has ended: another one may be started. With the lock held. */
void hiera_main_script_forget(void);

/* The script of this process; NULL if there is none. */
HieraWatcher *hiera_main_script(void);
/* Whether it is that of HIERA_PROBE, which all ranks have from their begin. */
bool hiera_main_script_is_common(void);

/* The process has joined its job: if the script prints what ranks have so far, the helper publishes what this one has.
 */
void hiera_main_script_publish(void);

/* End the script. @return  the state of the rank; NULL if it did not run, or has ended before */
HieraProbeState *hiera_main_script_end(void);

#endif
