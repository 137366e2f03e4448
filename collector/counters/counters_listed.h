/* hiera-run --counters: which counters there are on this machine. */
#ifndef HIERA_COUNTERS_LISTED_H
#define HIERA_COUNTERS_LISTED_H

#include <stdbool.h>

/* Print those that match one of the patterns, comma-separated, on standard output; "": all.
 *
 * @return false if a pattern means none; a line on standard error says which one */
bool hiera_counters_list(const char *patterns);

#endif
