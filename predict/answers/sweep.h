/* How the predicted time depends on a parameter of the network.
 *
 * Without contention the time T(x) of a run is the longest of many paths, each of which has a length that grows
 * linearly with the latency (or an overhead, or the gap): so T is convex and piecewise linear. Its slope at x says how
 * many latencies are on the longest path. Two pieces whose lines meet where T lies on them are neighbours; otherwise T
 * has another piece between, which is looked for on both sides. So the breakpoints are found exactly, by a few
 * simulations for each. Times and parameters are whole picoseconds, so that the slope at x is T(x + 1) - T(x).
 *
 * Source: the parametric view of LogGP graphs as in LLAMP (Shen et al., SC 2024), here without a solver. */
#ifndef HIERA_PREDICT_SWEEP_H
#define HIERA_PREDICT_SWEEP_H

#include "machine/machine_options.h"
#include "machine/network_option.h"
#include "machine/speeds.h"
#include "run/recorded_run.h"

typedef struct {
    const MachineOptions *machine;
    const Speeds *speeds; /* decided */
    NetworkSweep sweep;
    gboolean all;     /* all points of the curve in the table */
    const char *plot; /* file for the picture; NULL: none */
} SweepRequest;

/* Make the tables `sweep` (the curve) and, for times, `tolerance` (for how much more the run is so much longer), and
 * write the curve as a picture if a file is named.
 *
 * @param note   becomes what is to be known of the curve; NULL: nothing
 * @param error  as of hiera_simulate(), or HIERA_GRAPH_ERROR_USE if the picture cannot be written
 * @return HieraTable, in an array that owns them; NULL on error */
GPtrArray *sweep_make_tables(const RecordedRun *run, const SweepRequest *request, const char **note, GError **error);

#endif
