/* The functions of the MPI level that the core calls. The core cannot read records of MPI calls itself. The table is in
 * mpi/life/level.c. None of its functions is called on the call path. It is constant, so it can be used in a signal
 * handler. */
#ifndef HIERA_LEVEL_OPS_H
#define HIERA_LEVEL_OPS_H

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

    /* The process ends without an MPI call that Hiera saw. It may have used MPI nevertheless: find rank and size. */
    void (*find_job)(HieraJob *job);

    /* Why the trace may lack calls: text number i; NULL: there is none. */
    const char *(*missing)(unsigned i);

    /* Such a process has records to write: choose its folder. `free`: not in a signal handler. */
    void (*choose_folder)(HieraJob *job, bool free);

    /* Of the state of a callback: name and place of the call in whose callback it is; NULL: not known. */
    const char *(*around)(HieraThread *callbacks, const void **site);

    /* Write a record; but if a filter leaves it out, only add it to the sums of the file, and count it as filtered. */
    void (*write)(HieraTraceFile *stream, const HieraRecord *record);

    /* If a filter leaves out the call, only add it to these sums, and return true. */
    bool (*hide)(HieraSums *sums, const HieraRecord *record);

    /* The record has been written: free the memory that belongs to it outside the buffer. */
    void (*drop)(const HieraRecord *record);

    /* Tell a meter the call of a record (expect/). `known` belongs to the meter: see mpi/write/call_asked.h. */
    void (*meter)(struct HieraMeter *meter, HieraCallMeter *known, const HieraRecord *record);
    /* The calls in callbacks of a call have been told, which is told as open until then. */
    void (*meter_leave)(struct HieraMeter *meter, HieraCallMeter *known);
    HieraCallMeter *(*meter_begin)(void);
    void (*meter_forget)(HieraCallMeter *known);
    void (*meter_end)(HieraCallMeter *known);

    /* Add the call of a record to a profile (profile/). One in progress has begun, and will not end. */
    void (*fold)(struct HieraProfile *profile, const HieraRecord *record);

    /* Note what later calls that are added must know of one that is not. */
    void (*follow)(const HieraRecord *record);

    /* Count the call of a record for a trace that begins later (latest/), and keep it if that needs it. Then what went
     * before: declare the communicators, write the channels, and whether all are there. */
    void (*count)(const HieraThread *thread, const HieraRecord *record);
    void (*declare_channels)(HieraTraceFile *stream);
    void (*put_channels)(HieraTraceFile *stream);
    bool (*channels_are_complete)(void);

    /* Write the begin of the element of a function, `<hieraMPI operation="send"`; and the attributes of a part of it:
     * its communicator and peer. */
    void (*put_call)(HieraText *text, uint32_t call);
    void (*put_part)(HieraText *text, const struct HieraProfilePart *part);

    /* Scripts that watch calls have come or gone (probing/): find out which functions are observed. */
    void (*watch)(void);

    /* End the job as the program itself would, with this error code. Not with the lock held. */
    void (*end_job)(int code);

    /* Write the attributes of a sum that say which calls it counts. */
    void (*put_sum)(HieraTraceFile *stream, const HieraSumRow *row);

    /* Declare a communicator, unless the file already has. `note`: then it has. */
    void (*declare_comm)(HieraTraceFile *stream, uint32_t comm, bool note);
} HieraLevelOps;

extern const HieraLevelOps hiera_level;

#endif
