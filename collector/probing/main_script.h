/* The main probe script of this process: that of HIERA_PROBE, or of hiera_probes_start(). */
#pragma once

#include "watchers.h"

/* Read HIERA_PROBE, and add its script to the watchers of events, unless `wait` of HIERA_PROBE_OPTIONS is set. */
void hiera_main_script_load(void);
/* Print on standard error why HIERA_PROBE could not be read. */
void hiera_main_script_complain(void);

/* Start a script as the main script of this process. Requires the collector's lock. @return  false, with a message, if
 * the script is wrong or another one is running */
bool hiera_main_script_start(const char *text);

/* Allow another script to be started: this one has ended. Requires the collector's lock. */
void hiera_main_script_forget(void);

/* Return the watcher that runs the main script; NULL: there is none. */
HieraWatcher *hiera_main_script(void);
/* Whether the main script is that of HIERA_PROBE and began with the process, as on all other ranks. */
bool hiera_main_script_is_common(void);

/* If the script prints intermediate results of all ranks, let the helper thread publish this rank's results regularly.
 * Called when the process has joined its job. */
void hiera_main_script_publish(void);

/* End the main script. @return  its state on this rank; NULL if it was not running, or has ended already */
HieraProbeState *hiera_main_script_end(void);
