/* What a symbol is called in the source of the program. */
#ifndef HIERA_READABLE_H
#define HIERA_READABLE_H

#include <stddef.h>

/* @param file  of the source, NULL if it is not known: it tells the language. Calls malloc. */
void hiera_readable_symbol(char *to, size_t room, const char *symbol, const char *file);

#endif
