/* What a probe script has found, at its end. */
#ifndef HIERA_PROBE_RESULTS_H
#define HIERA_PROBE_RESULTS_H

#include "probes/probes.h"

/* End the script of this process (probed.h).
 *
 * @return  its results as bytes, for hiera_results_add() of this or another process; they belong to this module. NULL: it did not
 *          run, has ended before, or there is no memory */
const char *hiera_results_end(size_t *bytes);

/* The same where other ranks do not take part: print what this rank has. */
void hiera_results_end_alone(void);

/* Add up the results of ranks, and print what global_print() asks for. `totals` may be NULL: there is no memory. `saved` NULL: those
 * of a rank are lost. */
HieraProbeTotals *hiera_results_begin(void);
void hiera_results_add(HieraProbeTotals *totals, const char *saved, size_t bytes);
void hiera_results_print(HieraProbeTotals *totals);

#endif
