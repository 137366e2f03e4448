/* Rules about timed loops (hieraLoops): loop("force.c:70-82"). A trace has the total time of a loop on each rank, but
 * no times of single executions. */
#pragma once

#include "hiera_trace.h"

typedef struct {
    char *file; /* file name, or end of its path; NULL: the name is that of a function */
    char *function;
    guint32 line, last_line; /* last_line 0: any */
} LoopName;

/* Time of a loop on a rank. */
typedef struct {
    gint64 ns;           /* with callees, without measurement overhead; mean over threads */
    gboolean of_threads; /* several threads have executed the loop */
} LoopTime;

/* Read the name of a loop at the begin of a rule.
 *
 * @param name   receives the name, to be cleared; NULL if the rule names no loop
 * @param rest   receives the text behind it: an expression, or ""
 * @param error  says how to write it */
gboolean loop_name_read(const char *rule, LoopName **name, const char **rest, GError **error);
void loop_name_free(LoopName *name);
/* Find the loops of a rank that have this name, except those inside another one of them.
 * @return HieraTimed of the trace, to be freed with g_ptr_array_unref */
GPtrArray *loop_name_find(const LoopName *name, const HieraTrace *trace, guint32 processor);
LoopTime loops_sum(const GPtrArray *loops);
/* Whether a call site is within the lines of one of the loops. */
gboolean loops_have_site(const GPtrArray *loops, const HieraSite *site);
