/* hiera-run --counters: prints the counters of this machine. */
#pragma once

#include <stdbool.h>

/* Print the counters that match one of the comma-separated patterns on standard output; "": all counters.
 *
 * @return false if a pattern matches nothing; a line on standard error names it */
bool hiera_counters_list(const char *patterns);
