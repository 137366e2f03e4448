/* The parsed options of an executable. */
#pragma once

#include "executable_options.h"
#include "execution/run.h"
#include "hiera_measure.h"

typedef struct {
    HieraWalkOptions walk;
    GArray *processes;           /* guint32: number of processes of each prediction */
    gdouble load, link_load;     /* share of CPUs, and of links, that other jobs use: from 0 to below 1 */
    gdouble misses, miss_cycles; /* share of memory accesses that miss the caches, from 0 to 1; cycles of each miss */
    guint n_simulations;
    HieraReductions reductions;
    gboolean by_mca;
    char *cpu;           /* CPU name for llvm-mca, or NULL */
    const char *profile; /* path of a trace, or NULL */
    gdouble *visits;     /* mean visits of each loop in that trace */
    guint n_profiled;    /* number of loops with known visits */
    /* Folder for the traces of the first simulation, NULL: none; the command line, written to them. */
    const char *output, *command;
} ExecutablePlan;

/* @param error  HIERA_GRAPH_ERROR_USE: what is wrong with an option */
gboolean executable_plan_parse(ExecutablePlan *plan, const ExecutableWords *words, GError **error);
void executable_plan_clear(ExecutablePlan *plan);
