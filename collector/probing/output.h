/* Where a probe script prints: standard output, or a file of each rank (HIERA_PROBE_OUTPUT). */
#ifndef HIERA_PROBE_OUTPUT_H
#define HIERA_PROBE_OUTPUT_H

#include <stddef.h>

void hiera_probe_output_load(void);

/* Write text as a whole. What cannot be written is counted, and said once. */
void hiera_probe_output_write(int rank, const char *text, size_t length);

#endif
