/* Probe scripts that start and stop while the program runs. */
#pragma once

/* Find again which watchers observe which events. Call with the lock held. */
void hiera_probe_sections_renew(void);
