/* Begin and end of each operation of a predicted run, by row: for MPI calls from the spans of the simulation; regions
 * begin and end with the spans around their begins and ends. */
#pragma once

#include "run/feeder.h"
#include "run/recorded_run.h"

typedef struct PredictedTimes PredictedTimes;

/* Prepare for one simulation of the run; takes 16 bytes per operation. @param run  must outlive the result */
PredictedTimes *predicted_times_new(const RecordedRun *run);
void predicted_times_free(PredictedTimes *times);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PredictedTimes, predicted_times_free)
/* Return the callbacks that collect the times, to be given to the feeder; valid as long as `times`. */
SpanFollower predicted_times_follow(PredictedTimes *times);
/* Write the simulated run as traces. Its first rank begins at its recorded time.
 *
 * @param result  result of the simulation
 * @param moved   whether its ranks are on other hosts
 * @param note    how it was predicted
 * @param error   a file cannot be read, or written */
gboolean predicted_times_write(PredictedTimes *times, const HieraSimResult *result, gboolean moved, const char *note,
                               const char *folder, GError **error);
/* Return the collector's own times in the predicted run: HieraOwnTime, to be freed with g_array_unref. Call it while
 * the trace has its recorded times. */
GArray *predicted_times_move_own(PredictedTimes *times, const HieraSimResult *result);
/* Whether other threads than main threads were simulated. The times of those that were not lie as far between those of
 * the main thread around them as recorded. */
gboolean predicted_times_have_threads(const PredictedTimes *times);
/* Exchange the times of the trace: the first call sets the predicted times, the second restores the recorded ones. */
void predicted_times_swap(PredictedTimes *times, RecordedRun *run, const HieraSimResult *result);
