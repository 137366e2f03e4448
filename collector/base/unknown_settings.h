/* Finds misspelt settings in the environment, such as HIERA_FITLER. */
#pragma once

/* Call hiera_settings_note_unknown() for each variable that begins with HIERA_ and is not a setting. Allocates nothing.
 */
void hiera_unknown_find(void);
