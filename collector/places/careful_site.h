/* Call sites while a signal handler runs. libdw and the dynamic linker must not be called then, since the signal may
 * have interrupted malloc or the loading of a library. So a call site is object and offset, "libfoo.so+0x1a2b", as
 * without debug information. Safe in a signal handler; called with the lock held. */
#pragma once

#include "site_text.h"

/* Read in advance the address ranges of the program and its libraries, so that a signal handler need not do so. */
void hiera_careful_note(void);

/* Return the call site of a return address, as hiera_site_resolve(), but valid until the next call only. */
const HieraSiteText *hiera_careful_site(const void *address);

/* Write the name of the function at `address` as object and offset, "libfoo.so+0x1a2b". */
void hiera_careful_name(const void *address, char *name, size_t size);
