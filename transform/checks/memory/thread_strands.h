/* Strands: threads of a rank, and tasks and sections of OpenMP that a thread runs while it waits. */
#pragma once

#include "checks/checks.h"

/* What an operation has to do with the order of strands. */
typedef enum {
    HIERA_STRAND_OTHER,
    HIERA_STRAND_REGION,
    HIERA_STRAND_SHARE, /* a thread's part of a region */
    HIERA_STRAND_TASK,
    HIERA_STRAND_CREATE,
    HIERA_STRAND_DEPEND,
    HIERA_STRAND_WAIT, /* for tasks */
    HIERA_STRAND_SECTIONS,
    HIERA_STRAND_SECTION, /* another one of them */
    HIERA_STRAND_BARRIER,
    HIERA_STRAND_ALONE, /* what one thread does at a time */
    HIERA_STRAND_ATOMIC,
    HIERA_STRAND_ACQUIRE,
    HIERA_STRAND_RELEASE,
    HIERA_STRAND_THREAD,
    HIERA_STRAND_BEGIN_THREAD,
    HIERA_STRAND_JOIN,
    HIERA_STRAND_UNKNOWN /* it orders threads, and the trace does not say how */
} HieraThreadPart;
HieraThreadPart hiera_thread_part_find(const HieraSite *site);

typedef struct {
    const HieraTrace *trace;
    guint32 n;          /* each main thread has the number of its processor */
    guint32 *of_row;    /* NULL: each processor has one */
    guint32 *processor; /* by strand */
} HieraThreadStrands;

/* Return the strand to which a row belongs. */
guint32 hiera_thread_strands_peek(const HieraThreadStrands *strands, guint32 row);

/* Find the strand of each row of a processor, and add them. @param part_of  by site;  n_tasks:
 * strands of tasks and sections, of all processors  @return  by row of the processor: last row of its subtree */
guint32 *hiera_thread_strands_find(HieraThreadStrands *strands, const guint8 *part_of, guint32 processor,
                                   guint32 *n_tasks);
