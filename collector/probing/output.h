/* Where a probe script prints: on standard output, or into one file per rank (`output` of HIERA_PROBE_OPTIONS). */
#pragma once

#include <stddef.h>

void hiera_probe_output_load(void);

/* Write text; characters that could harm a terminal are replaced (names of the program may have them). A failure is
 * reported once. Takes little stack. */
void hiera_probe_output_write(int rank, const char *text, size_t length);
