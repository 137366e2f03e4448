/** What the main thread of a processor does, as a sequence of spans: useful computation, MPI, and files through MPI.
 *
 * Each moment from init to finalize belongs to one span; with a level or a depth, each moment inside the outermost
 * operations of it. Nested calls count once. The times of the scope are left to the visitor. */
#ifndef HIERA_ACTIVITY_H
#define HIERA_ACTIVITY_H

#include "values/outermost.h"

typedef enum {
    HIERA_ACTIVITY_USEFUL, /* outside of MPI */
    HIERA_ACTIVITY_MPI,    /* in MPI calls, but not those on files */
    HIERA_ACTIVITY_IO,     /* in MPI calls on files */
    HIERA_N_ACTIVITIES
} HieraActivity;

/** Called with each span, in the order of time. */
typedef void (*HieraActivityVisit)(HieraActivity activity, gint64 start_ns, gint64 finish_ns, gpointer user);

/** State of one processor; the fields are private. */
typedef struct {
    const HieraScope *scope;
    HieraActivityVisit visit;
    gpointer user;
    HieraInside unit, mpi;
    gint64 last_ns;        /* up to here all is visited */
    gint64 unit_finish_ns; /* of the unit that was met last; HIERA_TIME_OPEN: the end of the trace */
    gint64 open_ns;        /* start of an MPI call without an end; HIERA_TIME_OPEN if there is none */
    HieraActivity open_activity;
} HieraActivities;

/** Begin with a processor. The scope must outlive the state. */
void hiera_activities_begin(HieraActivities *state, const HieraScope *scope, const HieraProcessor *processor,
                            HieraActivityVisit visit, gpointer user);
/** Take the next operation of the processor, in document order; those of other threads are ignored. */
void hiera_activities_add(HieraActivities *state, const HieraOperation *operation);
/** Visit what is left. */
void hiera_activities_end(HieraActivities *state, const HieraProcessor *processor);

/** Whether a call site is an MPI call on a file. */
gboolean hiera_site_is_io(const HieraSite *site);

#endif
