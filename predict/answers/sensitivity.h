/* What 1 % less of each parameter of the network, and of what is computed in each call path, makes of the predicted
 * time.
 *
 * The time of a run is the length of its longest path, a sum of parts each of which is a number of times a parameter,
 * or a part of the computation: so what 1 % less of one saves is 1 % of its share of that path, as long as the path
 * stays the longest. Without contention the time is convex in each of them, so the savings add up to no more than 1 %;
 * the rest is what no parameter changes, and paths that take over. */
#ifndef HIERA_PREDICT_SENSITIVITY_H
#define HIERA_PREDICT_SENSITIVITY_H

#include "machine/machine_options.h"
#include "machine/speeds.h"
#include "run/recorded_run.h"

/* Make the table `sensitivity`, by a simulation for each row.
 *
 * @param speeds  decided; as before afterwards
 * @param all     with rows that are next to nothing
 * @param end_ps  of the run as it is predicted
 * @param error   as of hiera_simulate()
 * @return HieraTable, in an array that owns it; NULL on error */
GPtrArray *sensitivity_make_tables(const RecordedRun *run, const MachineOptions *options, Speeds *speeds, gboolean all,
                                   gint64 end_ps, GError **error);

#endif
