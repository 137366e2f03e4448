/* What orders the threads of a rank: constructs of OpenMP, and the begin and end of POSIX threads, as far as traces
 * have them (levels `openmp` and `threads`).
 *
 * What has an order of its own is a strand: a thread, or a task of OpenMP that a thread runs while it waits, since
 * another thread could have run it. Strands give what they know to a place, and take it from there. */
#pragma once

#include "thread_strands.h"

/* A strand gives to a place, or takes from one, before a row, or (`behind`) when the operation is over whose last row
 * it is; `depth`: of the operation. */
typedef struct {
    guint32 strand, row, place;
    guint32 depth;
    gboolean behind, takes;
} HieraOrderStep;

typedef struct {
    HieraThreadStrands strands;
    gboolean *is_known;      /* by processor: whether all that orders its threads is known */
    GArray *steps;           /* HieraOrderStep */
    GArray *givers, *takers; /* guint32, by place: how often it is given to, and taken from */
} HieraThreadOrder;

HieraThreadOrder *hiera_thread_order_new(const HieraTrace *trace);
void hiera_thread_order_free(HieraThreadOrder *);
