/* Scripts come and go while the program runs. */
#ifndef HIERA_PROBE_SECTIONS_H
#define HIERA_PROBE_SECTIONS_H

/* Find again who watches what. With the lock held. */
void hiera_probe_sections_renew(void);

#endif
