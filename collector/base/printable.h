/* Makes text of settings, files and programs harmless in messages: terminals obey control characters, and some
 * characters of Unicode hide or reorder text. */
#pragma once

#include <stddef.h>

/* Replace in place every invisible character and every byte that is not UTF-8: by U+FFFD if the character has three
 * bytes, else by a '?' per byte. Allocates nothing. */
void hiera_printable(char *text, size_t length);
