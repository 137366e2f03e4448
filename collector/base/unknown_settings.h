/* Finds misspelt settings in the environment, such as HIERA_FITLER. */
#ifndef HIERA_UNKNOWN_SETTINGS_H
#define HIERA_UNKNOWN_SETTINGS_H

/* Call hiera_settings_note_unknown() for each variable that begins with HIERA_ and is not a setting. Allocates nothing.
 */
void hiera_unknown_find(void);

#endif
