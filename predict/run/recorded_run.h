/* A recorded run: its traces in memory, and the partners of their operations. */
#pragma once

#include "hiera_match.h"
#include "machine/hosts.h"
#include "machine/sizes.h"

typedef struct {
    HieraCatalog *catalog;
    HieraFindings *findings;
    HieraTrace *trace;
    HieraMatch *match;
    GArray *own_time;   /* HieraOwnTime of the trace: counted as computation in the simulation */
    guint8 *is_call;    /* by row: 1 if it is an MPI call of a main thread, is inside no other MPI call, and is not on a
                           file */
    Hosts hosts;        /* hosts recorded in the traces */
    const Sizes *sizes; /* rules for message sizes; NULL: as recorded */
    gboolean rematch;   /* wildcard receives are matched anew */
} RecordedRun;

/* Read traces.
 *
 * @param arguments  NULL-terminated: traces, a hieraCollector.xml or a folder
 * @param run        to be cleared in any case; its findings describe problems of the traces
 * @param error      HIERA_GRAPH_ERROR_READ if no trace could be read; HIERA_GRAPH_ERROR_USE if the traces cannot be
 * simulated */
gboolean recorded_run_load(RecordedRun *run, const char *const *arguments, GError **error);
/* Find everything of a run except its trace, which must be set. @param error  as of recorded_run_load() */
gboolean recorded_run_complete(RecordedRun *run, GError **error);
void recorded_run_clear(RecordedRun *run);
/* Return the time from the first begin to the last end. */
gint64 recorded_run_time_ns(const RecordedRun *run);
