/* Probes that the program's source contains (hiera_probe.h). */
#pragma once

struct hiera_probe;

/* Let all probes find out again whether a script has a clause for them. Called when scripts have started or ended. */
void hiera_user_probes_renew(void);

/* Note that no script has a clause for the probe: it costs nothing until hiera_user_probes_renew(). */
void hiera_user_probe_silence(struct hiera_probe *probe);
