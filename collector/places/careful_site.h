/* Places in a program while a signal handler runs: neither libdw nor the dynamic linker may be asked, since the program
 * may be in the middle of malloc or of loading a library. A place is then an object and the offset in it,
 * "libfoo.so+0x1a2b", as without debug information. Safe in a signal handler; with the session's lock held. */
#ifndef HIERA_CAREFUL_SITE_H
#define HIERA_CAREFUL_SITE_H

#include "site_text.h"

/* Read which objects are loaded where, before anybody is in a hurry. */
void hiera_careful_note(void);

/* As hiera_site_resolve(). Good until the next call. */
const HieraSiteText *hiera_careful_site(const void *address);

/* The same place as a text, for a function. */
void hiera_careful_name(const void *address, char *name, size_t size);

#endif
