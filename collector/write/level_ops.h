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
    /* Read the settings. */
    void (*load)(void);

    /* A thread ends: free its memory. */
    void (*end_thread)(void);

    /* The process ends without an MPI call that Hiera saw. It may still have used MPI: find rank and size. */
    void (*find_job)(HieraJob *job);

    /* Return text number i of the reasons why the trace may lack calls; NULL: there are no more. */
    const char *(*missing)(unsigned i);

    /* Choose the folder for such a process, which has records to write. `free`: not in a signal handler. */
    void (*choose_folder)(HieraJob *job, bool free);

    /* For the state of a callback: return name and place of the MPI call around it; NULL: not known. */
    const char *(*around)(HieraThread *callbacks, const void **site);

    /* Write a record; if a filter leaves it out, only add it to the sums of the file, and count it as filtered. */
    void (*write)(HieraTraceFile *stream, const HieraRecord *record);

    /* If a filter leaves out the call, only add it to these sums, and return true. */
    bool (*hide)(HieraSums *sums, const HieraRecord *record);

    /* The record has been written: free the memory that belongs to it outside the buffer. */
    void (*drop)(const HieraRecord *record);

    /* Report the call of a record to a meter (expect/). `known` belongs to the meter: see mpi/write/call_asked.h. */
    void (*meter)(struct HieraMeter *meter, HieraCallMeter *known, const HieraRecord *record);
    /* The calls in callbacks of an MPI call have been reported. Until now that MPI call counted as open. */
    void (*meter_leave)(struct HieraMeter *meter, HieraCallMeter *known);
    HieraCallMeter *(*meter_begin)(void);
    void (*meter_forget)(HieraCallMeter *known);
    void (*meter_end)(HieraCallMeter *known);

    /* Add the call of a record to a profile (profile/). A call in progress counts as begun; its end will not follow. */
    void (*fold)(struct HieraProfile *profile, const HieraRecord *record);

    /* Note facts of a call that is not added to a profile, but that later calls in the profile may need. */
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

    /* Scripts that watch calls have started or ended (probing/): find out which functions are observed. */
    void (*watch)(void);

    /* End the job as the program itself would, with this error code. Not with the lock held. */
    void (*end_job)(int code);

    /* Write the attributes of a sum that identify its calls. */
    void (*put_sum)(HieraTraceFile *stream, const HieraSumRow *row);

    /* Declare a communicator, unless the file has its declaration already. `note`: remember that it has one from now
     * on. */
    void (*declare_comm)(HieraTraceFile *stream, uint32_t comm, bool note);
} HieraLevelOps;

extern const HieraLevelOps hiera_level;
