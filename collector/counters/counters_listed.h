/* hiera-run --counters: which counters there are on this machine. */
#ifndef HIERA_COUNTERS_LISTED_H
#define HIERA_COUNTERS_LISTED_H

/* Print those that match one of the patterns, comma-separated, on standard output; "": all. */
void hiera_counters_list(const char *patterns);

#endif
