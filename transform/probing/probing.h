/* Probe scripts on traces: the events of a run, as a script would have met them while it ran. See docs/probes.md. */
#ifndef HIERA_PROBING_H
#define HIERA_PROBING_H

#include "hiera_match.h"
#include "hiera_measure.h"
#include "probes/probes.h"
#include <stdio.h>

/* Read what --probe was given: a script, which has a brace, or the name of a file.
 *
 * @return  NULL with an error if it cannot be read or is wrong. Free with hiera_probe_script_free(). */
HieraProbeScript *hiera_probing_read(const char *given, GError **error);

/* What became of a script. */
typedef struct {
    guint64 lost;    /* keys and texts for which there was no room */
    guint64 stopped; /* clauses that could not go on on a rank */
    gboolean hidden; /* a rank has calls without a record, which are no events */
} HieraProbingOutcome;

/* Tell a script the events of all ranks of a scope, rank after rank, each thread after the other; then print what it
 * gathered of all. Several processes call it together, each for its ranks.
 *
 * @param stream  takes what the script prints; of several processes that of the one that leads, which others have not
 * @param tell    takes a message about a clause that cannot go on, lines; likewise
 * @param probed  becomes what became of it; likewise
 * @return  FALSE with an error if there is not enough memory */
gboolean hiera_probing_run(const HieraMatch *match, const HieraScope *scope, const HieraProbeScript *script,
                           FILE *stream, void (*tell)(const char *message), HieraProbingOutcome *probed,
                           GError **error);

#endif
