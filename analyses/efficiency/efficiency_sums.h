/** Sums from which the efficiencies of the whole run, of a region or of an iteration are computed. */
#pragma once

#include "hiera_measure.h"
#include "paths/replay.h"

/** Times of one rank in this part of the run, in ns. */
typedef struct {
    gint64 time_ns, useful_ns, io_ns;
    gint64 ideal_ns; /* its length in the ideal run */
} HieraEfficiencyShare;

typedef struct {
    const char *region; /* "" for the whole run */
    guint32 iteration;  /* from 1; 0: all iterations together */
    guint32 processes;  /* number of ranks that were in it */
    gint64 time_ns;     /* the run time; for a part of the run the longest time that any rank was in it */
    gint64 ideal_ns;    /* the same in the ideal run; HIERA_UNKNOWN if there is none */
    gint64 useful_ns, most_useful_ns, io_ns; /* sum over ranks, maximum of a rank, sum over ranks */
    gint64 unsure;                           /* number of calls with a dependence that the clocks contradict */
    guint32 unsure_processor;                /* processor of the first such call, and its call site */
    const HieraSite *unsure_site;
    guint32 processor; /* the processor whose share is not added yet; HIERA_NONE if none */
    HieraEfficiencyShare share;
} HieraEfficiencySums;

/** Words of --by, in the order of HieraEfficiencyBy. */
#define HIERA_EFFICIENCY_BY "run,region,iteration"
typedef enum { HIERA_EFFICIENCY_RUN, HIERA_EFFICIENCY_REGION, HIERA_EFFICIENCY_ITERATION } HieraEfficiencyBy;

/** Find the sums of all rows. With several processes all must call it; process 0 gets the sums of all.
 *
 * @param of     of hiera_dependences_of_scope()
 * @param scope  of hiera_efficiency_scope()
 * @param ideal  of hiera_ideal_run_find(), with calls unless hiera_efficiency_is_whole()
 * @return HieraEfficiencySums: the whole run; or regions, the longest first; or their iterations in order. To be freed
 *         with g_array_unref. The names of regions belong to the table */
GArray *hiera_efficiency_sums_find(const HieraDependences *of, const HieraIdealRun *ideal, const HieraScope *scope,
                                   HieraTable *table);

/** Return the scope without its time limits if they cover the whole run of each rank, so that no clipping is needed. */
HieraScope hiera_efficiency_scope(const HieraScope *scope, const HieraTrace *trace);

/** Whether the answer is one row about all of the time of each rank; then the ideal lengths of calls are not needed. */
gboolean hiera_efficiency_is_whole(const HieraScope *scope);

/** Return the sums of the whole run for traces that have only sums over calls (profiles), without an ideal run, which
 * needs the order of calls. With several processes all must call it; process 0 gets the sums of all. */
HieraEfficiencySums hiera_efficiency_of_sums(const HieraTrace *trace, const HieraScope *scope);
