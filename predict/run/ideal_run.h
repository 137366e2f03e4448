/* A recorded run on the ideal network: the dependences between its calls are known, so one pass over them is enough. It
 * is the same pass as in `--measure efficiency`, with the same times. */
#pragma once

#include "feeder.h"

/* Simulate the run.
 *
 * @param speeds    already decided
 * @param follower  only its callback for spans is called; NULL: none
 * @param result    receives the end of the run and of each rank
 * @param error     HIERA_SIMULATOR_ERROR_OPERATION if the run takes longer than HIERA_SIM_LONGEST_PS
 * @return by index of the rank; to be freed with g_free. NULL on error */
RankTimes *ideal_run_simulate(const RecordedRun *run, const Speeds *speeds, const SpanFollower *follower,
                              HieraSimResult *result, GError **error);
/* Return how many calls do not wait for those that they depend on, because the recorded times contradict it. */
guint64 ideal_run_count_unsure(const RecordedRun *run);
