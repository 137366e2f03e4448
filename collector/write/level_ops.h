/* The functions of the MPI level that the core calls, since the core cannot read records of MPI calls itself. The table
 * is in mpi/life/level.c. None of its functions is called on the call path. It is constant, so it can be used in a
 * signal handler. */
#pragma once

#include "job/job.h"
#include "trace_file.h"

struct HieraMeter;
struct HieraProfile;
struct HieraProfilePart;
typedef struct HieraCallMeter HieraCallMeter;

typedef struct HieraLevelOps {
    /* Read the settings of the MPI level. */
    void (*load)(void);

    /* Let MPI calls that do not come by the usual binding of symbols come here, too. Not called in a process where
     * nothing is recorded. */
    void (*open_doors)(void);

    /* Free the MPI level's memory for this thread, which ends. */
    void (*end_thread)(void);

    /* Find rank and size when a process ends in which Hiera saw no MPI call. Returns whether it has used MPI. */
    bool (*find_job)(HieraJob *job);

    /* Return reason number i, from 0, why the trace may lack calls, as text; NULL: there are no more reasons. */
    const char *(*missing)(unsigned i);

    /* Choose the folder for a process found by find_job() that has a trace. `free`: not in a signal handler. */
    void (*choose_folder)(HieraJob *job, bool free);

    /* Return name and call site (*site) of the MPI call whose callbacks use the state `callbacks`; NULL: not known. */
    const char *(*around)(HieraThread *callbacks, const void **site);

    /* Write the record of an MPI call; if a filter leaves it out, only add it to totals and stream->filtered. */
    void (*write)(HieraTraceFile *stream, const HieraRecord *record);

    /* Whether a filter leaves out the call of a record; if so, add the call to `sums`. */
    bool (*hide)(HieraSums *sums, const HieraRecord *record);

    /* Return the name of the function of a call's record, without MPI_. */
    const char *(*name)(const HieraRecord *record);

    /* Free the memory that a written record has outside the buffer. */
    void (*drop)(const HieraRecord *record);

    /* Give the call of a record to a meter of rules (expect/). `known`: the meter's state (mpi/write/call_asked.h). */
    void (*meter)(struct HieraMeter *meter, HieraCallMeter *known, const HieraRecord *record);
    /* End an MPI call that counted as open for the meter while calls in its callbacks were given to it. */
    void (*meter_leave)(struct HieraMeter *meter, HieraCallMeter *known);
    HieraCallMeter *(*meter_begin)(void);
    void (*meter_forget)(HieraCallMeter *known);
    void (*meter_end)(HieraCallMeter *known);

    /* Add the call of a record to a profile (profile/). A call in progress counts as begun; its end never follows. */
    void (*fold)(struct HieraProfile *profile, const HieraRecord *record);

    /* Store requests, windows and files of a call that is not added to the profile: later calls may refer to them. */
    void (*follow)(const HieraRecord *record);

    /* Count the call of a record for a trace that begins later (latest/), and keep it if that trace needs it. Then, for
     * the time before that trace: declare the communicators, write the channels, and return whether all are there. */
    void (*count)(const HieraThread *thread, const HieraRecord *record);
    void (*declare_channels)(HieraTraceFile *stream);
    void (*put_channels)(HieraTraceFile *stream);
    bool (*channels_are_complete)(void);

    /* Write the begin of the element of an MPI function, `<hieraMPI operation="send"`; and the attributes of a part of
     * it: its communicator and peer. */
    void (*put_call)(HieraText *text, uint32_t call);
    void (*put_part)(HieraText *text, const struct HieraProfilePart *part);

    /* Find out again which functions scripts observe, because scripts have started or ended (probing/). */
    void (*watch)(void);

    /* End the job with this error code, as the program itself would. The lock must not be held. */
    void (*end_job)(int code);

    /* Write the attributes that say which calls a row of totals is of. */
    void (*put_sum)(HieraTraceFile *stream, const HieraSumRow *row);

    /* Declare a communicator, unless the file has its declaration already. `note`: remember that it has one from now
     * on. */
    void (*declare_comm)(HieraTraceFile *stream, uint32_t comm, bool note);
} HieraLevelOps;

extern const HieraLevelOps hiera_level;
