/* Rules about timed loops (hieraLoops): loop("force.c:70-82"). A trace has the total time of a loop on each rank, but
 * no times of single executions. */
#pragma once

#include "hiera_trace.h"

typedef struct {
    char *file; /* file name of the loop, or end of its path; NULL: `function` names it */
    char *function;
    guint32 line, last_line; /* first and last line of the loop; last_line 0: any */
} LoopName;

/* Time of a loop on one rank. */
typedef struct {
    gint64 ns; /* time of the loop with the functions that it calls, without the cost of measuring; mean over threads */
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
/* Whether the file and line of a call site are within one of the loops. @param loops  HieraTimed */
gboolean loops_have_site(const GPtrArray *loops, const HieraSite *site);
