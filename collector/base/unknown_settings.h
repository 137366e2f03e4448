/* Variables of the environment that look like settings and are none: HIERA_FITLER. */
#ifndef HIERA_UNKNOWN_SETTINGS_H
#define HIERA_UNKNOWN_SETTINGS_H

/* Hand each one to hiera_settings_note_unknown(). Allocates nothing. */
void hiera_unknown_find(void);

#endif
