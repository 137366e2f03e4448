/* Rules about loops that were timed (hieraLoops): loop("force.c:70-82"). A trace has how long a loop took in all on
 * each rank, but not when. */
#ifndef HIERA_PREDICT_LOOP_NAMES_H
#define HIERA_PREDICT_LOOP_NAMES_H

#include "hiera_trace.h"

typedef struct {
    char *file; /* or the end of its path; NULL: a function */
    char *function;
    guint32 line, last_line; /* last_line 0: it may be any */
} LoopName;

/* How long a loop took a rank. */
typedef struct {
    gint64 ns;           /* with what it calls, without what measured it; of several threads the mean */
    gboolean of_threads; /* several have executed it */
} LoopTime;

/* Read the name of a loop at the begin of a rule.
 *
 * @param name   becomes it, to be cleared; NULL if the rule names none
 * @param rest   becomes what is behind it: an expression, or ""
 * @param error  says how to write it */
gboolean loop_name_read(const char *rule, LoopName **name, const char **rest, GError **error);
void loop_name_free(LoopName *name);
/* Find the loops of a processor that have this name, without those inside another one of them.
 * @return HieraTimed of the trace, to be freed with g_ptr_array_unref */
GPtrArray *loop_name_find(const LoopName *name, const HieraTrace *trace, guint32 processor);
LoopTime loops_sum(const GPtrArray *loops);
/* Whether a call is at the lines of one of them. */
gboolean loops_have_site(const GPtrArray *loops, const HieraSite *site);

#endif
