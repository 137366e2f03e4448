/* The words of saved aggregations: see save.c. */
#ifndef HIERA_PROBES_SAVED_H
#define HIERA_PROBES_SAVED_H

#define HIERA_SAVED_HEAD "hieraProbe 1" /* with the version of the format */

extern const char hiera_saved_letters[];       /* by HieraValueType: of keys */
extern const char *const hiera_saved_types[]; /* by HieraValueType: of aggregated values */

#endif
