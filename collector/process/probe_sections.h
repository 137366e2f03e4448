/* Probe scripts that start and stop while the program runs. */
#ifndef HIERA_PROBE_SECTIONS_H
#define HIERA_PROBE_SECTIONS_H

/* Find again which watchers observe which events. Call with the lock held. */
void hiera_probe_sections_renew(void);

#endif
