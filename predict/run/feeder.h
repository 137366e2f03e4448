/* Feeds a recorded run to the simulator: between MPI calls each rank computes as long as recorded, calls become
 * operations with their recorded partners, and loops of unsuccessful tests or probes become waits. */
#pragma once

#include "calls.h"
#include "calls/timeline.h"
#include "machine/speeds.h"
#include "run_parts.h"
#include "simulator/simulator.h"
#include "span_follower.h"
#include "thread_acts.h"

typedef struct Feeder Feeder;

/* Make a feeder for a run in memory. Run and speeds must outlive it.
 *
 * @param speeds  already decided for the run's trace
 * @param found   what is asked of threads; receives what is found. NULL: main threads only */
Feeder *feeder_new(const RecordedRun *run, const Speeds *speeds, ActsFound *found);
/* Return for each rank of the simulator the rank whose thread it is. The first ones are the ranks themselves, which are
 * their main threads. @param n  receives how many there are */
const guint32 *feeder_peek_owners(const Feeder *feeder, guint32 *n);
/* Make a feeder for a run that is read in parts. The run ends with the last usable part.
 *
 * @param first   the first part, of which the feeder takes ownership
 * @param speeds  with local rules; decided for each part */
Feeder *feeder_new_of_parts(RunParts *parts, RecordedRun *first, Speeds *speeds);
void feeder_free(Feeder *feeder);
/* Report all spans to a follower while the simulation runs. To be called before the simulation. */
void feeder_follow(Feeder *feeder, const SpanFollower *follower);
/* Return the source of operations for the simulator; valid as long as the feeder. */
HieraSimFeeder feeder_get(Feeder *feeder);
/* Return how many calls took their recorded time, since their partners are not known; 0 for a run in parts. */
guint64 feeder_count_kept(const Feeder *feeder);
/* Return the number of wildcard receives that were matched anew. @param n_others  receives how many of them took
 * another message than recorded */
guint64 feeder_count_rematched(const Feeder *feeder, guint64 *n_others);
/* Return the sums of a rank's simulated times. @param rank  index of its root element in the trace */
RankTimes feeder_sum(const Feeder *feeder, guint32 rank);
