/* When each operation of a predicted run begins and ends, by row: the spans of the simulation say it of MPI calls;
 * regions begin and end where the spans around do. */
#ifndef HIERA_PREDICT_PREDICTED_TIMES_H
#define HIERA_PREDICT_PREDICTED_TIMES_H

#include "run/feeder.h"
#include "run/recorded_run.h"

typedef struct PredictedTimes PredictedTimes;

/* Prepare for a simulation: 16 bytes for each operation. @param run  must outlive it */
PredictedTimes *predicted_times_new(const RecordedRun *run);
void predicted_times_free(PredictedTimes *times);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PredictedTimes, predicted_times_free)
/* What follows the feeder; valid as long as the times. */
SpanFollower predicted_times_follow(PredictedTimes *times);
/* Write the run as traces, once it is simulated: its first rank begins when it was recorded to.
 *
 * @param result  of the simulation
 * @param moved   whether its ranks are on other hosts
 * @param note    how it was predicted
 * @param error   a file cannot be read, or written */
gboolean predicted_times_write(PredictedTimes *times, const HieraSimResult *result, gboolean moved, const char *note,
                               const char *folder, GError **error);
/* Return the times of the collector in the predicted run: HieraOwnTime, to be freed with g_array_unref. To be called
 * while the trace has its own times. */
GArray *predicted_times_move_own(PredictedTimes *times, const HieraSimResult *result);
/* Give the trace of the run the predicted times; or, the second time, its own. Operations of threads other than the
 * main thread have no predicted ones. */
void predicted_times_swap(PredictedTimes *times, RecordedRun *run, const HieraSimResult *result);

#endif
