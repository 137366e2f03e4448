/* hiera-run --counters: lists the counters that this machine has. */
#ifndef HIERA_COUNTERS_LISTED_H
#define HIERA_COUNTERS_LISTED_H

#include <stdbool.h>

/* Print the counters that match one of the comma-separated patterns on standard output; "": all counters.
 *
 * @return false if a pattern matches nothing; a line on standard error names it */
bool hiera_counters_list(const char *patterns);

#endif
