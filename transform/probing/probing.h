/* Probe scripts (docs/probes.md) on traces: a script gets a run's events as if it had observed the running program. */
#pragma once

#include "hiera_match.h"
#include "hiera_measure.h"
#include "probes/probes.h"
#include <stdio.h>

/* Read the value of --probe: a script, which contains a brace, or the name of a file.
 *
 * @return  NULL with an error if it cannot be read or is wrong. Free with hiera_probe_script_free(). */
HieraProbeScript *hiera_probing_read(const char *given, GError **error);

/* Limits of a script's results. */
typedef struct {
    guint64 lost;    /* number of keys and texts that were dropped because memory was full */
    guint64 stopped; /* number of clauses that were stopped, summed over ranks */
    gboolean hidden; /* whether a rank has calls that were not recorded and so made no events */
} HieraProbingOutcome;

/* Run a script on the events of all ranks of a scope, rank by rank, each thread after the other; then print its
 * aggregations over all ranks. Several processes call it together, each for its ranks.
 *
 * @param stream  receives the script's output; used only in process 0
 * @param tell    receives messages about stopped clauses, as lines; likewise
 * @param probed  receives the summary; likewise
 * @return  FALSE with an error if there is not enough memory */
gboolean hiera_probing_run(const HieraMatch *match, const HieraScope *scope, const HieraProbeScript *script,
                           FILE *stream, void (*tell)(const char *message), HieraProbingOutcome *probed,
                           GError **error);
