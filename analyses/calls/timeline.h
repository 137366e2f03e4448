/** The timeline of a processor: what its main thread does at each instant from init to finalize.
 *
 * The spans are in order of time, have no gaps and do not overlap, whatever the times in the trace: an operation that
 * begins before the end of the one before it begins at this end. Further threads have no timeline. */
#ifndef HIERA_TIMELINE_H
#define HIERA_TIMELINE_H

#include "hiera_trace.h"

typedef enum {
    HIERA_DOES_COMPUTE,     /* outside of MPI */
    HIERA_DOES_COMMUNICATE, /* in an MPI call that is inside no other one */
    HIERA_DOES_IO,          /* in such a call of MPI-IO */
    HIERA_N_DOINGS
} HieraDoing;

typedef struct {
    guint32 processor; /* index in the trace */
    guint32 row;       /* the MPI call, or the innermost operation that computes; HIERA_NONE: outside of all */
    guint32 next;      /* of computation: the operation that begins at its end; HIERA_NONE if one ends there */
    HieraDoing doing;
    gint64 begin_ns, end_ns; /* only a call can have length 0 */
} HieraSpan;

typedef void (*HieraSpanVisit)(const HieraSpan *span, gpointer user);

/** Visit the spans of a processor in order of time. O(operations). */
void hiera_timeline_visit(const HieraTrace *trace, guint32 processor, HieraSpanVisit visit, gpointer user);

/** Return what a call of MPI does: HIERA_DOES_IO for functions of files, else HIERA_DOES_COMMUNICATE. */
HieraDoing hiera_timeline_doing(const HieraSite *site);

#endif
