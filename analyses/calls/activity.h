/** What the main thread of a processor does, while its trace is read: stretches of useful computation, MPI, files
 * through MPI, and what the collector took, in constant memory: but what comes after the finalize in the head of the
 * trace is kept, because the run may turn out to be longer.
 *
 * They are the spans of span_cutter.h; computation between two MPI calls is one stretch, whatever operations it is in,
 * if the collector does not take the thread in between. With a level, a depth or --where, only what is inside the
 * outermost operations of these counts, and each of these has stretches of its own. The times of the scope are left to
 * the visitor. */
#pragma once

#include "span_cutter.h"
#include "values/outermost.h"

/** Called with each stretch, in the order of time. */
typedef void (*HieraActivityVisit)(HieraDoing doing, gint64 begin_ns, gint64 end_ns, gpointer user);

/** State of one processor; the fields are private. It must stay where it is. */
typedef struct {
    const HieraScope *scope;
    HieraActivityVisit visit;
    gpointer user;
    HieraInside inside;     /* the outermost operation of the scope around the current one */
    guint32 unit;           /* its number */
    HieraSpanCutter cutter; /* gets what is in units, with its depth in there; its row is the number of the unit */
    GArray *own;            /* HieraOwnTime: the cutter still needs the last of them; NULL: there was none */
    HieraTimeSpan stretch;  /* of computation, not visited yet */
    gint64 finalize_ns;     /* what is known of it */
    GArray *late;           /* HieraTimeSpan: stretches that end behind it */
} HieraActivities;

/** Begin with a processor. The scope must outlive the state. */
void hiera_activities_begin(HieraActivities *state, const HieraScope *scope, const HieraProcessor *processor,
                            HieraActivityVisit visit, gpointer user);
/** Take the next operation of the processor, in document order; those of other threads are ignored. */
void hiera_activities_add(HieraActivities *state, const HieraOperation *operation);
/** Take a time of the collector, in document order too. */
void hiera_activities_add_own(HieraActivities *state, const HieraOwnTime *own);
/** Visit what is left. */
void hiera_activities_end(HieraActivities *state, const HieraProcessor *processor);
