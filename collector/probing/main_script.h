/* The probe script of this process: the script of HIERA_PROBE, or of hiera_probes_start(). */
#pragma once

#include "watchers.h"

/* Read HIERA_PROBE; unless `wait` of HIERA_PROBE_OPTIONS is set, its script is added as a watcher. */
void hiera_main_script_load(void);
/* Print on standard error why HIERA_PROBE could not be read. */
void hiera_main_script_complain(void);

/* Start a script as the one of this process. Requires the lock. @return  false, with a message, if the script is wrong
 * or another one is running */
bool hiera_main_script_start(const char *text);

/* The script has ended: allow another one to be started. Requires the lock. */
void hiera_main_script_forget(void);

/* The script of this process; NULL if there is none. */
HieraWatcher *hiera_main_script(void);
/* Whether the script is that of HIERA_PROBE, which all ranks have from their begin. */
bool hiera_main_script_is_common(void);

/* The process has joined its job: if the script prints intermediate results of all ranks, let the helper publish this
 * rank's results regularly. */
void hiera_main_script_publish(void);

/* End the script. @return  state of the rank; NULL if the script was not running, or has ended already */
HieraProbeState *hiera_main_script_end(void);
