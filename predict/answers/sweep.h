/* Predicted time as a function of a network parameter.
 *
 * Without contention the time T(x) of a run is the maximum over many paths, each with a length that grows linearly with
 * the latency (or an overhead, or the gap): so T is convex and piecewise linear. Its slope at x is the number of
 * latencies on the longest path. Two pieces whose lines meet at a point of T are neighbours; otherwise T has another
 * piece between them, which is searched on both sides. So the breakpoints are found exactly, with a few simulations for
 * each. Times and parameters are whole picoseconds, so that the slope at x is T(x + 1) - T(x).
 *
 * Source: the parametric view of LogGP graphs as in LLAMP (Shen et al., SC 2024), here without a solver. */
#pragma once

#include "machine/machine_options.h"
#include "machine/network_option.h"
#include "machine/speeds.h"
#include "run/recorded_run.h"

typedef struct {
    const MachineOptions *machine;
    const Speeds *speeds; /* factors on computation; already decided for the trace of the run */
    NetworkSweep sweep;
    gboolean all;     /* whether the table has all points of the curve; FALSE: those that are needed to draw it */
    const char *plot; /* path of the SVG file to write; NULL: none */
} SweepRequest;

/* Make the tables `sweep` (the curve) and, for times, `tolerance` (the increase of the parameter for given increases of
 * run time), and write a plot of the curve if a file is named.
 *
 * @param note   receives a remark on the curve; NULL: none
 * @param error  as of hiera_simulate(), or HIERA_GRAPH_ERROR_USE if the plot cannot be written
 * @return HieraTable, in an array that owns them; NULL on error */
GPtrArray *sweep_make_tables(const RecordedRun *run, const SweepRequest *request, const char **note, GError **error);
