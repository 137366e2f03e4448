/* What a probe script has aggregated when it ends. */
#pragma once

#include "probes/probes.h"

/* End the script of this process (main_script.h).
 *
 * @param saved  becomes its results, for hiera_results_add() in this or another process: `bytes` bytes owned by this
 * module; 0: there is no memory for them
 * @return  false if the script was not running, or has ended already */
bool hiera_results_end(const char **saved, size_t *bytes);

/* Return the results of this process after the script's end, for its trace. 0 bytes: there are none, or no memory for
 * all. */
const char *hiera_results_peek(size_t *bytes);

/* End the script, and print the results of this rank only. Does nothing in a signal handler, or while this thread
 * executes a clause. */
void hiera_results_end_alone(void);

/* Add up the results of ranks, and print the parts that global_print() asks for. `totals` may be NULL: there is no
 * memory. `bytes` 0: the results of a rank are lost. */
HieraProbeTotals *hiera_results_begin(void);
void hiera_results_add(HieraProbeTotals *totals, const char *saved, size_t bytes);
void hiera_results_print(HieraProbeTotals *totals);

/* How much a script has lost, on one or on all ranks. */
typedef struct HieraResultsLost {
    uint64_t keys, events,
        ranks; /* keys and texts that had no room; events for which there was no memory; ranks that have lost any */
} HieraResultsLost;
HieraResultsLost hiera_results_lost(void);
/* Print how much was lost, if anything was. */
void hiera_results_say_lost(const HieraResultsLost *lost);
