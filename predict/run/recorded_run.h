/* A recorded run: its trace in memory, and the partners of its operations. */
#pragma once

#include "hiera_match.h"
#include "machine/hosts.h"
#include "machine/sizes.h"

typedef struct {
    HieraCatalog *catalog;
    HieraFindings *findings;
    HieraTrace *trace;
    HieraMatch *match;
    GArray *own_time;   /* HieraOwnTime: the collector's own times, taken out of the trace, so that they count as
                           computation */
    guint8 *is_call;    /* by row: 1 if it is an MPI call of a main thread, is inside no other MPI call, and is not on a
                           file */
    Hosts hosts;        /* host of each rank: as recorded, or by --mapping */
    const Sizes *sizes; /* factors on message sizes; NULL: sizes are as recorded */
    gboolean rematch;   /* whether receives with wildcards take messages by the simulated order, not the recorded ones
                           (--rematch) */
} RecordedRun;

/* Read traces.
 *
 * @param arguments  NULL-terminated: traces, a hieraCollector.xml or a folder
 * @param run        to be cleared in any case; its findings describe problems of the traces
 * @param error      HIERA_GRAPH_ERROR_READ if no trace could be read; HIERA_GRAPH_ERROR_USE if the traces cannot be
 * simulated */
gboolean recorded_run_load(RecordedRun *run, const char *const *arguments, GError **error);
/* Find partners, calls and hosts of a run, whose trace must be set. @param error  as of recorded_run_load() */
gboolean recorded_run_complete(RecordedRun *run, GError **error);
void recorded_run_clear(RecordedRun *run);
/* Return the time from when the first rank begins until the last rank ends. */
gint64 recorded_run_time_ns(const RecordedRun *run);
