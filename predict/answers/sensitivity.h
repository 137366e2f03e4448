/* Sensitivity of the predicted time to 1 % less of each network parameter and of the computation in each call path.
 *
 * The time of a run is the length of its longest path, a sum of parts each of which is a multiple of a parameter, or a
 * part of the computation: so 1 % less of one of them saves 1 % of its share of that path, as long as the path stays
 * the longest. Without contention the time is convex in each of them, so the savings add up to at most 1 %; the rest is
 * time that no parameter changes, and paths that become the longest. */
#pragma once

#include "machine/machine_options.h"
#include "machine/speeds.h"
#include "run/recorded_run.h"

/* Make the table `sensitivity`, with one simulation per row.
 *
 * @param speeds  decided; unchanged afterwards
 * @param all     include negligible rows
 * @param end_ps  end of the predicted run
 * @param error   as of hiera_simulate()
 * @return HieraTable, in an array that owns it; NULL on error */
GPtrArray *sensitivity_make_tables(const RecordedRun *run, const MachineOptions *options, Speeds *speeds, gboolean all,
                                   gint64 end_ps, GError **error);
