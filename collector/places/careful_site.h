/* Call sites while a signal handler runs. libdw and the dynamic linker must not be called then, since the signal may
 * have interrupted malloc or the loading of a library. So a call site is object and offset, "libfoo.so+0x1a2b", as
 * without debug information. Safe in a signal handler; called with the lock held. */
#pragma once

#include "site_text.h"

/* Read in advance where the program and its shared libraries are in memory, so that a signal handler need not do it. */
void hiera_careful_note(void);

/* Like hiera_site_resolve(). The result is valid until the next call. */
const HieraSiteText *hiera_careful_site(const void *address);

/* Write object and offset as the name of a function. */
void hiera_careful_name(const void *address, char *name, size_t size);
