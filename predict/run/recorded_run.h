/* A recorded run: its traces in memory, and the partners of their operations. */
#ifndef HIERA_PREDICT_RECORDED_RUN_H
#define HIERA_PREDICT_RECORDED_RUN_H

#include "hiera_match.h"
#include "machine/hosts.h"
#include "machine/sizes.h"

typedef struct {
    HieraCatalog *catalog;
    HieraFindings *findings;
    HieraTrace *trace;
    HieraMatch *match;
    GArray *own_time; /* HieraOwnTime of the trace: it is computation while the run is simulated */
    guint8
        *is_call; /* by row: 1 if it is an MPI call of a main thread that is inside no other one, and not on a file */
    Hosts hosts;  /* those of the traces */
    const Sizes *sizes; /* of messages; NULL: as recorded */
    gboolean rematch;   /* what receives take that asked for any message is decided anew */
} RecordedRun;

/* Read traces.
 *
 * @param arguments  NULL-terminated: traces, a hieraCollector.xml or a folder
 * @param run        to be cleared in any case; its findings say what was wrong
 * @param error      HIERA_GRAPH_ERROR_READ if no trace could be read; HIERA_GRAPH_ERROR_USE if what was read cannot be
 *                   simulated */
gboolean recorded_run_load(RecordedRun *run, const char *const *arguments, GError **error);
/* Find all but the trace of a run, which is there. @param error  as of recorded_run_load() */
gboolean recorded_run_complete(RecordedRun *run, GError **error);
void recorded_run_clear(RecordedRun *run);
/* From the first begin to the last end. */
gint64 recorded_run_time_ns(const RecordedRun *run);

#endif
