/* Text of settings, files and programs in messages: a terminal obeys control characters, and some of Unicode's hide or
 * reorder text. */
#ifndef HIERA_PRINTABLE_H
#define HIERA_PRINTABLE_H

#include <stddef.h>

/* Replace, in place, every character that is none to be seen, and every byte that is no UTF-8: a '?' for each byte, or
 * U+FFFD for one of three bytes. Allocates nothing. */
void hiera_printable(char *text, size_t length);

#endif
