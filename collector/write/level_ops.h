/* The level whose records the core cannot read itself: MPI. The core calls it by this table alone; mpi/life/level.c has
 * it. Nothing of it is called on the call path. It is constant, so that it is there in every signal handler. */
#ifndef HIERA_LEVEL_OPS_H
#define HIERA_LEVEL_OPS_H

#include "job/job.h"
#include "trace_file.h"

typedef struct HieraLevelOps {
    /* Read the settings. */
    void (*load)(void);

    /* A thread ends: give back what was kept with it. */
    void (*end_thread)(void);

    /* A process ends that never told us of MPI: it may have had it all the same, past us, and then a rank. */
    void (*find_job)(HieraJob *job);

    /* … and has something to write: choose its folder. `free`: no signal handler runs. */
    void (*choose_folder)(HieraJob *job, bool free);

    /* Write a record. */
    void (*write)(HieraTraceFile *stream, const HieraRecord *record);

    /* If the call is hidden, only add it to the sums of the stream. Returns whether it did. */
    bool (*hide)(HieraTraceFile *stream, const HieraRecord *record);

    /* The record is gone: give back what belongs to it and does not lie in the buffer. */
    void (*drop)(const HieraRecord *record);

    /* The attributes of a sum that say what its calls were. */
    void (*put_sum)(HieraTraceFile *stream, const HieraSumRow *row);

    /* The declaration of a communicator, where the stream has none. */
    void (*declare_comm)(HieraTraceFile *stream, uint32_t comm);
} HieraLevelOps;

extern const HieraLevelOps hiera_level;

#endif
