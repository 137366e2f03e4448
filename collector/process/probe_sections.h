/* Probe scripts that start and stop while the program runs. */
#pragma once

/* Find again which scripts observe which calls, regions and probes. Requires the collector's lock. */
void hiera_probe_sections_renew(void);
