/* Probes of the program (hiera_probe.h). */
#pragma once

struct hiera_probe;

/* Scripts have started or ended: all probes ask again when they are reached. */
void hiera_user_probes_renew(void);

/* No script has a clause for the probe: it costs nothing until hiera_user_probes_renew(). */
void hiera_user_probe_silence(struct hiera_probe *probe);
