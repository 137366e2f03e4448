/** Activities of the main thread of a processor, while its trace is read: stretches of useful computation, MPI, file
 * access through MPI, and time of the collector. Memory is constant, except that stretches after the finalize in the
 * head of the trace are kept, because the run may turn out to be longer.
 *
 * They are the spans of span_cutter.h; computation between two MPI calls is one stretch, whatever operations it is in,
 * if the collector does not take the thread in between. With a level, a depth or --where, only what is inside the
 * outermost operations of these counts, and each of these has stretches of its own. The times of the scope are left to
 * the visitor. */
#pragma once

#include "span_cutter.h"
#include "values/outermost.h"

/** Called with each interval in which the main thread has one activity, in order of time. */
typedef void (*HieraActivityVisit)(HieraDoing doing, gint64 begin_ns, gint64 end_ns, gpointer user);

/** State of one processor; the fields are private. It must not be moved in memory. */
typedef struct {
    const HieraScope *scope;
    HieraActivityVisit visit;
    gpointer user;
    HieraInside inside;     /* the outermost operation of the scope around the current operation */
    guint32 unit;           /* number of the operation in `inside`, from 1 */
    HieraSpanCutter cutter; /* gets operations inside `inside`, with their depth there; `row` of a span is `unit` */
    GArray *own; /* HieraOwnTime, from the oldest one that the cutter still needs; NULL: no such time so far */
    HieraTimeSpan stretch; /* current interval of computation, not visited yet, as it may go on */
    gint64 finalize_ns;    /* end of the run, as far as it is known while the trace is read */
    GArray *late;          /* HieraTimeSpan: intervals that end after finalize_ns, visited at the end */
} HieraActivities;

/** Begin with the main thread of a processor. The scope must outlive the state. */
void hiera_activities_begin(HieraActivities *state, const HieraScope *scope, const HieraProcessor *processor,
                            HieraActivityVisit visit, gpointer user);
/** Take the next operation of the processor, in document order; those of other threads are ignored. */
void hiera_activities_add(HieraActivities *state, const HieraOperation *operation);
/** Add a time in which the collector used the main thread, in document order. */
void hiera_activities_add_own(HieraActivities *state, const HieraOwnTime *own);
/** Visit the intervals not visited yet, up to the end of the run, and free the state. */
void hiera_activities_end(HieraActivities *state, const HieraProcessor *processor);
