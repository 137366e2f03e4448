/* Where a probe script prints: standard output, or a file of each rank (`output` of HIERA_PROBE_OPTIONS). */
#pragma once

#include <stddef.h>

void hiera_probe_output_load(void);

/* Write text; characters that could harm a terminal are replaced (names of the program may have them). A failure is
 * reported once. Takes little stack. */
void hiera_probe_output_write(int rank, const char *text, size_t length);
