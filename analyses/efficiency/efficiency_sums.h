/** Sums from which the efficiencies of a run, a region or an iteration are computed. */
#pragma once

#include "hiera_measure.h"
#include "paths/replay.h"
#include "threads/thread_times.h"

/** Times in ns of one rank in the run, region or iteration. */
typedef struct {
    gint64 time_ns, useful_ns, io_ns;
    gint64 ideal_ns; /* `time_ns` in the ideal run */
    guint32 n_threads;
    gboolean has_others;      /* whether there are further threads */
    gboolean is_crowded;      /* whether there are fewer processors than threads */
    gboolean is_undivided;    /* of sums of calls: balance_ns is all idle time in regions */
    HieraThreadTimes threads; /* if there are several threads: of all of them, as are useful_ns and io_ns */
} HieraEfficiencyShare;

/** A rank with several threads. */
typedef struct {
    gint64 n_threads, useful_ns, idle_ns;
} HieraEfficiencyTeam;

typedef struct {
    const char *region; /* name of the region; "" for the whole run */
    guint32 iteration;  /* number of the iteration, from 1; 0: all iterations together */
    guint32 processes;  /* number of ranks that were in the run or region */
    gint64 threads;     /* number of their threads; equal to `processes` if each has one */
    gint64 time_ns;     /* of the run: from first init to last finalize; of a region: longest time of a rank in it */
    gint64 ideal_ns;    /* time_ns in the ideal run; HIERA_UNKNOWN if there is none */
    gint64 useful_ns, most_useful_ns, io_ns;     /* useful time: of all threads, most of a rank with one; I/O time */
    gint64 serial_ns, balance_ns, scheduling_ns; /* idle time of threads of OpenMP, as in HieraThreadTimes */
    GArray *teams;      /* HieraEfficiencyTeam: ranks with several threads; NULL: none. Owned by the array of sums */
    gint64 n_others;    /* number of these ranks that have further threads, which do not count */
    gint64 n_crowded;   /* number of them that have fewer processors than threads */
    gint64 n_undivided; /* number of them with HieraEfficiencyShare.is_undivided */
    gint64 unsure;      /* number of calls with a dependence that the clocks contradict */
    guint32 unsure_processor; /* processor and call site of the first call that `unsure` counts */
    const HieraSite *unsure_site;
    const char *past; /* why calls are missing, so that all times are unknown (hiera_trace_peek_past); NULL: none are */
    const char
        *of_threads; /* of which threads the factors are, if there are others (hiera_unrecorded_of); else "" or NULL */
    guint32 processor; /* processor with the times in `share`, which are not in the sums yet; HIERA_NONE: none */
    HieraEfficiencyShare share;
} HieraEfficiencySums;

/** Add the times of a rank. */
void hiera_efficiency_sums_add(HieraEfficiencySums *sums, const HieraEfficiencyShare *share);
/** Pack sums for another process; the next functions unpack them there, and add them to those of the same row. The sums
 * that are added lose what they own. */
void hiera_efficiency_sums_pack(const HieraEfficiencySums *sums, HieraPacker *to);
HieraEfficiencySums hiera_efficiency_sums_unpack(const HieraTrace *trace, HieraUnpacker *from);
void hiera_efficiency_sums_join(HieraEfficiencySums *to, HieraEfficiencySums *sums);
/** Set of which threads the sums are. @param of_threads  of which they are if only main threads count */
void hiera_efficiency_sums_name_threads(HieraEfficiencySums *sums, const char *of_threads);
/** Free what sums own, but not themselves. */
void hiera_efficiency_sums_clear(HieraEfficiencySums *sums);

/** Return the number of threads that the sums are about. */
static inline gint64 hiera_efficiency_threads(const HieraEfficiencySums *sums)
{
    return MAX(sums->threads, (gint64)sums->processes);
}

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
GArray *hiera_efficiency_sums_find(const HieraMatch *match, const HieraDependences *of, const HieraIdealRun *ideal,
                                   const HieraScope *scope, HieraTable *table);

/** Return the scope, without its time limits if they cover the run of each rank, so that nothing has to be clipped. */
HieraScope hiera_efficiency_scope(const HieraScope *scope, const HieraTrace *trace);

/** Whether the answer is one row about all times of each rank, for which the ideal lengths of calls are not needed. */
gboolean hiera_efficiency_is_whole(const HieraScope *scope);

/** Return the sums of the whole run for traces that have only sums over calls (profiles), without an ideal run, which
 * needs the order of calls; to be cleared with hiera_efficiency_sums_clear. With several processes all must call it;
 * process 0 gets the sums of all. */
HieraEfficiencySums hiera_efficiency_of_sums(const HieraTrace *trace, const HieraScope *scope);
