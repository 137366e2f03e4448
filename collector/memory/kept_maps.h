/* The list of mappings, in kept memory (kept_memory.h): with it, addresses in records become places when the process is
 * gone. With the lock held. */
#pragma once

/* Store the present list of mappings. */
void hiera_kept_maps_note(void);

/* Called for an address of code that occurs for the first time: store the list again if its object is new. */
void hiera_kept_maps_see(const void *address);
