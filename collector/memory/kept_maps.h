/* The list of mappings, in kept memory (kept_memory.h): with it, addresses in records are converted to file and line
 * when the process is gone. With the lock held. */
#pragma once

/* Copy the present list of mappings into memory that survives a kill. */
void hiera_kept_maps_note(void);

/* Called for each new address of code: copy the list of mappings again if the address is in none of them. */
void hiera_kept_maps_see(const void *address);
