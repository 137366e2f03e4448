/* What the words of an executable's options mean. */
#ifndef HIERA_PREDICT_EXECUTABLE_PLAN_H
#define HIERA_PREDICT_EXECUTABLE_PLAN_H

#include "executable_options.h"
#include "execution/run.h"
#include "hiera_measure.h"

typedef struct {
    HieraWalkOptions walk;
    GArray *processes;           /* guint32: how many, in each prediction */
    gdouble load, link_load;     /* what others use of processors, and of links: from 0 to 1, without 1 */
    gdouble misses, miss_cycles; /* how many accesses to memory caches do not have, from 0 to 1; cycles of each */
    guint n_simulations;
    HieraReductions reductions;
    gboolean by_mca;
    char *cpu;           /* for llvm-mca, or NULL */
    const char *profile; /* a trace, or NULL: */
    gdouble *visits;     /* of its loops */
    guint n_profiled;    /* how many there are */
    /* The folder for the traces of the first simulation, NULL: none; the command line for these. */
    const char *output, *command;
} ExecutablePlan;

/* @param error  HIERA_GRAPH_ERROR_USE: what is wrong with a word */
gboolean executable_plan_parse(ExecutablePlan *plan, const ExecutableWords *words, GError **error);
void executable_plan_clear(ExecutablePlan *plan);

#endif
