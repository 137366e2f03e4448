/* A recorded run on the ideal network: the dependences between its calls are known, and a pass over them is enough. It
 * is the one behind `--measure efficiency`, with the same times. */
#ifndef HIERA_PREDICT_IDEAL_RUN_H
#define HIERA_PREDICT_IDEAL_RUN_H

#include "feeder.h"

/* Simulate it.
 *
 * @param speeds    decided
 * @param follower  is told all spans, and nothing else; NULL: nobody
 * @param result    becomes when ranks end, of the run and each one
 * @param error     HIERA_SIMULATOR_ERROR_OPERATION if the run takes longer than HIERA_SIM_LONGEST_PS
 * @return by index of the processor; to be freed with g_free. NULL on error */
RankTimes *ideal_run_simulate(const RecordedRun *run, const Speeds *speeds, const SpanFollower *follower,
                              HieraSimResult *result, GError **error);
/* Return how many calls do not wait for something, because the recorded times contradict that they depend on it. */
guint64 ideal_run_count_unsure(const RecordedRun *run);

#endif
