/* A recorded run as the simulator asks for it: between MPI calls each rank computes as long as recorded, the calls are
 * operations with their recorded partners, and loops that test or probe in vain are waits. */
#ifndef HIERA_PREDICT_FEEDER_H
#define HIERA_PREDICT_FEEDER_H

#include "calls.h"
#include "simulator/simulator.h"
#include "speeds.h"

typedef struct Feeder Feeder;

/* Where the time of a rank goes, in nanoseconds. */
typedef struct {
    gint64 total, compute, mpi, waiting; /* total = compute + mpi; waiting is part of mpi */
} RankTimes;

/* Both must outlive the feeder. @param speeds  decided */
Feeder *feeder_new(const RecordedRun *run, const Speeds *speeds);
void feeder_free(Feeder *feeder);
/* What asks the feeder; valid as long as it. */
HieraSimFeeder feeder_get(Feeder *feeder);
/* How many calls took as long as recorded, because their partners are not known. */
guint64 feeder_count_kept(const Feeder *feeder);
/* Sum up what the simulation has made of a rank. */
RankTimes feeder_sum(const Feeder *feeder, guint32 rank);

#endif
