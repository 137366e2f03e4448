/* What a probe script has found, at its end. */
#ifndef HIERA_PROBE_RESULTS_H
#define HIERA_PROBE_RESULTS_H

#include "probes/probes.h"

/* End the script of this process (main_script.h).
 *
 * @param saved  becomes its results, for hiera_results_add() of this or another process: `bytes` bytes of this module;
 * 0: there is no memory for them
 * @return  false if it did not run, or has ended before */
bool hiera_results_end(const char **saved, size_t *bytes);

/* The results of this process once it has ended, for its trace. 0 bytes: there are none, or no memory for all. */
const char *hiera_results_peek(size_t *bytes);

/* hiera_results_end() where other ranks do not take part: print what this rank has. Does nothing in a signal handler,
 * and while this thread fires. */
void hiera_results_end_alone(void);

/* Add up the results of ranks, and print what global_print() asks for. `totals` may be NULL: there is no memory.
 * `bytes` 0: those of a rank are lost. */
HieraProbeTotals *hiera_results_begin(void);
void hiera_results_add(HieraProbeTotals *totals, const char *saved, size_t bytes);
void hiera_results_print(HieraProbeTotals *totals);

/* What the script of this process could not do. */
typedef struct HieraResultsLost {
    uint64_t keys, events, ranks; /* keys and texts without room, events without memory; ranks that have such */
} HieraResultsLost;
HieraResultsLost hiera_results_lost(void);
/* Say it, if there is any. */
void hiera_results_say_lost(const HieraResultsLost *lost);

#endif
