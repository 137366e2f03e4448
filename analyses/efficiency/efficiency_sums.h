/** What the efficiencies of the whole run, of a region or of an iteration are computed from. */
#pragma once

#include "hiera_measure.h"
#include "paths/replay.h"

/** What one rank did in it, in nanoseconds. */
typedef struct {
    gint64 time_ns, useful_ns, io_ns;
    gint64 ideal_ns; /* its time in the ideal run */
} HieraEfficiencyShare;

typedef struct {
    const char *region; /* "": the whole run */
    guint32 iteration;  /* from 1; 0: all together */
    guint32 processes;  /* ranks that were in it */
    gint64 time_ns;     /* the run time; of a part of the run the longest time that a rank was in it */
    gint64 ideal_ns;    /* the same in the ideal run; HIERA_UNKNOWN: there is none */
    gint64 useful_ns, most_useful_ns, io_ns; /* sum, greatest of a rank, sum */
    gint64 unsure;                           /* calls with a dependence that contradicts the clocks */
    guint32 unsure_processor;                /* that of the first of them, and where it is called */
    const HieraSite *unsure_site;
    guint32 processor; /* whose share is not added yet; HIERA_NONE */
    HieraEfficiencyShare share;
} HieraEfficiencySums;

/** Words of --by, in the order of HieraEfficiencyBy. */
#define HIERA_EFFICIENCY_BY "run,region,iteration"
typedef enum { HIERA_EFFICIENCY_RUN, HIERA_EFFICIENCY_REGION, HIERA_EFFICIENCY_ITERATION } HieraEfficiencyBy;

/** Find the sums of all rows. Of several processes all call it, and the one that leads gets those of all.
 *
 * @param of     of hiera_dependences_of_scope()
 * @param scope  of hiera_efficiency_scope()
 * @param ideal  of hiera_ideal_run_find(), with calls unless hiera_efficiency_is_whole()
 * @return HieraEfficiencySums: the whole run; or regions, the longest first; or their iterations in order. To be freed
 *         with g_array_unref. The names of regions belong to the table */
GArray *hiera_efficiency_sums_find(const HieraDependences *of, const HieraIdealRun *ideal, const HieraScope *scope,
                                   HieraTable *table);

/** Return a scope without times if its own hold the whole run of each of its ranks: then nothing is cut off. */
HieraScope hiera_efficiency_scope(const HieraScope *scope, const HieraTrace *trace);

/** Whether one row about all of the time of each rank is asked for: then the ideal lengths of calls are not. */
gboolean hiera_efficiency_is_whole(const HieraScope *scope);

/** The whole run of traces that have sums over calls: without an ideal run, which needs the order of calls. Of several
 * processes all call it, and the one that leads gets the sums of all. */
HieraEfficiencySums hiera_efficiency_of_sums(const HieraTrace *trace, const HieraScope *scope);
