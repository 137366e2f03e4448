/* A recorded run as the simulator asks for it: between MPI calls each rank computes as long as recorded, the calls are
 * operations with their recorded partners, and loops that test or probe in vain are waits. */
#ifndef HIERA_PREDICT_FEEDER_H
#define HIERA_PREDICT_FEEDER_H

#include "calls.h"
#include "calls/timeline.h"
#include "machine/speeds.h"
#include "run_parts.h"
#include "simulator/simulator.h"

typedef struct Feeder Feeder;

/* Who is told when each span of a rank is simulated: in order, for a rank; of calls that the simulation leaves out
 * (tests in vain) with begin = end. Either function may be NULL. */
typedef struct {
    void (*span)(gpointer user, const HieraTimeSpan *span, gint64 begin_ps, gint64 end_ps);
    void (*waited)(gpointer user, guint32 row, gint64 waiting_ps); /* of each operation that a call became */
    gpointer user;
} SpanFollower;

/* Both must outlive the feeder. @param speeds  decided */
Feeder *feeder_new(const RecordedRun *run, const Speeds *speeds);
/* The same for a run that is read in parts, which ends with the last one that can be used.
 *
 * @param first   the first part, which becomes the feeder's
 * @param speeds  whose rules are local; decided for each part */
Feeder *feeder_new_of_parts(RunParts *parts, RecordedRun *first, Speeds *speeds);
void feeder_free(Feeder *feeder);
/* Tell a follower about all spans. To be called before the simulation. */
void feeder_follow(Feeder *feeder, const SpanFollower *follower);
/* What asks the feeder; valid as long as it. */
HieraSimFeeder feeder_get(Feeder *feeder);
/* How many calls took as long as recorded, because their partners are not known; none in parts. */
guint64 feeder_count_kept(const Feeder *feeder);
/* How many receives asked for any message and were matched anew. @param n_others  becomes how many of them took another
 * one than recorded */
guint64 feeder_count_rematched(const Feeder *feeder, guint64 *n_others);
/* Sum up what the simulation has made of a rank. */
RankTimes feeder_sum(const Feeder *feeder, guint32 rank);

#endif
