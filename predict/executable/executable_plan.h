/* The options of hiera-predict executable, interpreted. */
#pragma once

#include "executable_options.h"
#include "execution/run.h"
#include "hiera_measure.h"

typedef struct {
    HieraWalkOptions walk;
    GArray *processes;           /* guint32: numbers of processes; a prediction is made for each */
    gdouble load, link_load;     /* share of the CPUs, and of the links, that other jobs use: from 0 to below 1 */
    gdouble misses, miss_cycles; /* share of memory accesses that miss the caches (0 to 1); cycles of a miss */
    guint n_simulations;
    HieraReductions reductions;
    gboolean by_mca;
    char *cpu;           /* name of the CPU for llvm-mca; NULL: the default of llvm-mca */
    const char *profile; /* --profile: path of a trace with times of loops; NULL: none */
    gdouble *visits;     /* by loop: mean number of times that its header is reached per execution, from `profile` */
    guint n_profiled;    /* number of loops that were found in the trace of `profile` */
    /* Folder for traces of the first simulation, NULL: none; and the command line, which is written to the traces. */
    const char *output, *command;
} ExecutablePlan;

/* Interpret the options. @param error  HIERA_GRAPH_ERROR_USE: what is wrong with an option */
gboolean executable_plan_parse(ExecutablePlan *plan, const ExecutableWords *words, GError **error);
void executable_plan_clear(ExecutablePlan *plan);
