/* What is mapped where, as kept memory (kept_memory.h): it turns addresses in records into places when the process is
 * gone. With the lock held. */
#ifndef HIERA_KEPT_MAPS_H
#define HIERA_KEPT_MAPS_H

/* Note what is mapped now. */
void hiera_kept_maps_note(void);

/* An address in code that is met for the first time: note again, if its object is new. */
void hiera_kept_maps_see(const void *address);

#endif
