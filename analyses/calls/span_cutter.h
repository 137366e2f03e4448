/** Spans: what a main thread does at each instant. The one rule by which a moment belongs to an operation:
 *
 * From init to finalize, each moment belongs to the MPI call that is inside no other one, or else to the innermost
 * operation. What is inside of an MPI call has no spans of its own. What the collector took of computation is a span
 * that is no computation. Spans come in order of time, have no gaps and do
 * not overlap, whatever the times in the trace: an operation that begins before the end of the one before it begins at
 * this end.
 *
 * Operations come one by one, in document order; memory grows with their depth alone. timeline.h feeds the cutter from
 * columns, activity.h while traces are read. */
#pragma once

#include "hiera_trace.h"
#include <string.h>

typedef enum {
    HIERA_DOES_COMPUTE,     /* outside of MPI */
    HIERA_DOES_COMMUNICATE, /* in an MPI call that is inside no other one */
    HIERA_DOES_IO,          /* in such a call on a file */
    HIERA_DOES_OWN,         /* nothing of the program: the collector has the thread, outside of MPI */
    HIERA_N_DOINGS
} HieraDoing;

typedef struct {
    guint32 processor; /* index in the trace */
    guint32 row;       /* the MPI call, or the innermost operation that computes; HIERA_NONE: outside of all */
    guint32 next;      /* of computation: the operation that begins at its end; HIERA_NONE if one ends there */
    HieraDoing doing;
    gint64 begin_ns, end_ns; /* only a call can have length 0 */
} HieraTimeSpan;

typedef void (*HieraSpanVisit)(const HieraTimeSpan *span, gpointer user);

/** What the cutter has to know of an operation. */
typedef struct {
    guint32 row; /* how the spans name it; with columns its row */
    guint32 depth;
    HieraDoing doing; /* hiera_site_does() of its site */
    gint64 start_ns;
    gint64 finish_ns; /* HIERA_TIME_OPEN: a call lasts to the end of the run, another operation to the next one */
} HieraMoments;

/** The state for one main thread; the fields are private. */
typedef struct {
    guint32 processor;
    HieraSpanVisit visit;
    gpointer user;
    gint64 at_ns, limit_ns; /* end of the last span; no span ends later */
    HieraMoments *open;     /* n_open operations around the current one, the innermost last; room for n_room */
    guint n_open, n_room;
    const HieraOwnTime *own; /* n_own times of the collector that do not end before at_ns, rising */
    guint n_own;
} HieraSpanCutter;

/** Begin with a main thread.
 *
 * @param processor  the spans have it
 * @param limit_ns   the end of the run; HIERA_TIME_OPEN if it is not known yet */
void hiera_span_cutter_begin(HieraSpanCutter *cutter, guint32 processor, gint64 init_ns, gint64 limit_ns,
                             HieraSpanVisit visit, gpointer user);
/** Set the times of the collector, to be kept by the caller: those that are left, and those of before the next
 * operation at least. */
static inline void hiera_span_cutter_set_own(HieraSpanCutter *cutter, const HieraOwnTime *own, guint n)
{
    cutter->own = own;
    cutter->n_own = n;
}
/** Take the next operation of the thread, and visit what ends before it. */
void hiera_span_cutter_add(HieraSpanCutter *cutter, const HieraMoments *operation);
/** Visit what is left until the end of the run, and free what the state holds. */
void hiera_span_cutter_end(HieraSpanCutter *cutter, gint64 finalize_ns);

/** Whether a span is a call of MPI. */
static inline gboolean hiera_span_is_call(const HieraTimeSpan *span)
{
    return span->doing == HIERA_DOES_COMMUNICATE || span->doing == HIERA_DOES_IO;
}

/** Return what an operation of a call site does. */
static inline HieraDoing hiera_site_does(const HieraSite *site)
{
    static const char of_files[] = "file_";
    if (!site->mpi)
        return HIERA_DOES_COMPUTE;
    gboolean on_file =
        site->operation[0] == of_files[0] && strncmp(site->operation, of_files, sizeof of_files - 1) == 0;
    return on_file ? HIERA_DOES_IO : HIERA_DOES_COMMUNICATE;
}
