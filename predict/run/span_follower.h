/* Who learns when spans are simulated. */
#pragma once

#include "calls/span_cutter.h"

/* Callbacks for each simulated span of a rank, in order. Calls that the simulation leaves out (unsuccessful tests) have
 * begin = end. All functions may be NULL. */
typedef struct {
    void (*span)(gpointer user, const HieraTimeSpan *span, gint64 begin_ps, gint64 end_ps);
    /* The same of other threads of OpenMP; between their spans they may wait. */
    void (*of_thread)(gpointer user, guint32 thread, const HieraTimeSpan *span, gint64 begin_ps, gint64 end_ps);
    void (*waited)(gpointer user, guint32 row, gint64 waiting_ps); /* called after each simulated operation of a call */
    gpointer user;
} SpanFollower;
