/** Spans: the activity of a main thread at each instant. This is the one rule that assigns a moment to an operation:
 *
 * From init to finalize, each moment belongs to the outermost MPI call, or else to the innermost
 * operation. Operations inside an MPI call have no spans of their own. Time that the collector takes from computation
 * is a separate span. Spans come in order of time, have no gaps and do not overlap, whatever the times in the trace: an
 * operation that begins before the previous one ends is treated as if it began at this end.
 *
 * Operations come one by one, in document order; memory grows only with their depth. timeline.h feeds the cutter from
 * columns, activity.h while traces are read. */
#pragma once

#include "hiera_trace.h"
#include <string.h>

typedef enum {
    HIERA_DOES_COMPUTE,     /* outside of MPI */
    HIERA_DOES_COMMUNICATE, /* in an outermost MPI call */
    HIERA_DOES_IO,          /* in an outermost MPI call on a file */
    HIERA_DOES_OWN,         /* the collector uses the thread, outside of MPI calls */
    HIERA_DOES_IDLE,        /* it waits in OpenMP; only hiera_idle_timeline_visit() and sums by call path tell this */
    HIERA_N_DOINGS
} HieraDoing;

typedef struct {
    guint32 processor; /* index of the processor in the trace */
    guint32 row;       /* row of the MPI call or innermost operation; HIERA_NONE: outside of all */
    guint32 next; /* for computation: row of the operation that begins at the span's end; HIERA_NONE: one ends there */
    HieraDoing doing;
    gint64 begin_ns, end_ns; /* begin and end of the span; only an MPI call can have length 0 */
} HieraTimeSpan;

typedef void (*HieraSpanVisit)(const HieraTimeSpan *span, gpointer user);

/** What the cutter needs to know of an operation. */
typedef struct {
    guint32 row; /* `row` of the operation's spans: its row in the trace, or a number of the caller */
    guint32 depth;
    HieraDoing doing; /* hiera_site_does() of the operation's call site */
    gint64 start_ns;
    gint64 finish_ns; /* HIERA_TIME_OPEN: an MPI call lasts to the end of the run, another operation until the next one
                         begins */
} HieraMoments;

/** State of the cutter for one main thread; the fields are private. */
typedef struct {
    guint32 processor;
    HieraSpanVisit visit;
    gpointer user;
    gint64 at_ns, limit_ns; /* end of the last visited span; end of the run, which limits all spans */
    HieraMoments *open;     /* stack of the n_open operations around the current one; n_room are allocated */
    guint n_open, n_room;
    const HieraOwnTime *own; /* n_own times of the collector, in order of time, that end at at_ns or later */
    guint n_own;
} HieraSpanCutter;

/** Begin with a main thread.
 *
 * @param processor  is copied into the spans
 * @param limit_ns   end of the run; HIERA_TIME_OPEN if it is unknown so far */
void hiera_span_cutter_begin(HieraSpanCutter *cutter, guint32 processor, gint64 init_ns, gint64 limit_ns,
                             HieraSpanVisit visit, gpointer user);
/** Set the times of the collector, which the caller keeps. The array must have at least those that remain and begin
 * before the next operation. */
static inline void hiera_span_cutter_set_own(HieraSpanCutter *cutter, const HieraOwnTime *own, guint n)
{
    cutter->own = own;
    cutter->n_own = n;
}
/** Take the next operation of the thread, and visit the spans that end before it. */
void hiera_span_cutter_add(HieraSpanCutter *cutter, const HieraMoments *operation);
/** Visit the remaining spans until the end of the run, and free the state. */
void hiera_span_cutter_end(HieraSpanCutter *cutter, gint64 finalize_ns);

/** Whether a span is a call of MPI. */
static inline gboolean hiera_span_is_call(const HieraTimeSpan *span)
{
    return span->doing == HIERA_DOES_COMMUNICATE || span->doing == HIERA_DOES_IO;
}

/** Return the activity of an operation at a call site. */
static inline HieraDoing hiera_site_does(const HieraSite *site)
{
    static const char of_files[] = "file_";
    if (!site->mpi)
        return HIERA_DOES_COMPUTE;
    gboolean on_file =
        site->operation[0] == of_files[0] && strncmp(site->operation, of_files, sizeof of_files - 1) == 0;
    return on_file ? HIERA_DOES_IO : HIERA_DOES_COMMUNICATE;
}
