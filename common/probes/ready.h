/* The ready scripts of ready/, by name. */
#ifndef HIERA_READY_H
#define HIERA_READY_H

#include <stddef.h>

/* Text of the script of this name; NULL if there is none. */
const char *hiera_ready_find(const char *name);

/* What to say when there is neither a file nor a script of this name: the nearest one, and all that there are. */
void hiera_ready_advise(const char *name, char *text, size_t size);

#endif
