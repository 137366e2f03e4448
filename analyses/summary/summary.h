/** The parts of the summary: each adds its sentences. Those that do not fit on the screen are left out, the least
 * important ones first. */
#pragma once

#include "causes/cause_rows.h"
#include "causes/delays.h"
#include "efficiency/efficiency_sums.h"

/** Parts of the screen, from top to bottom: X(identifier, topic). If calls cost more than the worst wait, CALLS comes
 * before WAITS. */
#define HIERA_SUMMARY_PARTS(X)                                                                                         \
    X(ENDING, NULL) /* the topic is what happened: "Deadlock", … */                                                  \
    X(RUN, "Run")                                                                                                      \
    X(EFFICIENCY, "Efficiency")                                                                                        \
    X(WAITS, "Waits")                                                                                                  \
    X(CALLS, "Calls")                                                                                                  \
    X(TIME, "Time")                                                                                                    \
    X(INSIDE, "Inside")                                                                                                \
    X(ITERATIONS, "Iterations")                                                                                        \
    X(UNUSUAL, "Unusual")                                                                                              \
    X(LIMITS, "Limits")
typedef enum {
#define X(identifier, topic) HIERA_SUMMARY_##identifier,
    HIERA_SUMMARY_PARTS(X)
#undef X
        HIERA_N_SUMMARY_PARTS
} HieraSummaryPart;

/** Sums over the calls in each node, of the ranks in the scope. */
typedef struct {
    gint64 *calls, *bytes; /* by node: calls and bytes of collectives */
    gint64 *operations;    /* by node: number of its operations, on all ranks */
    gint64 *waiting_ns;    /* by node: waiting of main threads */
    gint64 *sent;          /* by node: number of messages sent */
    gint64 *outside_ns;    /* by node: time before MPI_Init and after MPI_Finalize */
    gint64 *messages;      /* by node: not 0 if it sends, receives or completes messages */
    gint64 n_messages, message_bytes, outside_sum_ns;
} HieraSummaryNodes;

/** Importance of a sentence: those with a later value are left out first. */
typedef enum { HIERA_SAY_ALWAYS, HIERA_SAY_FIRST, HIERA_SAY_SECOND, HIERA_SAY_THIRD, HIERA_SAY_LAST } HieraSaying;

/** Data that all parts use. */
typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraCallPaths paths; /* of all ranks */
    const GArray *waits;
    HieraDelays *delays;
    HieraSummaryNodes nodes;       /* of this process's ranks; later, in process 0, of all ranks */
    const GArray *sampled, *timed; /* HieraSampled, HieraTimed, by processor */
    gint64 *own_ns;                /* by node of the paths: time of the ranks in the scope, without waits */
    gint64 run_ns;                 /* sum of the run times of all ranks in the scope */
    gint64 begin_ns, end_ns;       /* begin and end of the run, clipped to the scope */
    gint64 worst_wait, worst_call; /* greatest share named in WAITS, in CALLS, in hundredths of a percent */
    const char *ending;            /* topic of HIERA_SUMMARY_ENDING */
    gboolean hung;                 /* TRUE if the run did not end by itself: ranks still were in calls */
    GArray *sentences;             /* defined in summary.c */
    HieraTable *table;
} HieraSummary;

/** Add a sentence.
 *
 * @param more  the options that show more about it; "" if there are none. A constant */
void hiera_summary_say(HieraSummary *summary, HieraSummaryPart part, HieraSaying saying, const char *more,
                       const char *format, ...) G_GNUC_PRINTF(5, 6);

/** Attach an operation to a sentence, which is given by its index.
 *
 * @param row  the row as a single process would number it; HIERA_NONE: no operation */
void hiera_summary_point(HieraSummary *summary, guint sentence, guint32 row);

/** Give the last sentence a bar. @param bar  length in hundredths of a percent */
void hiera_summary_draw_bar(HieraSummary *summary, gint64 bar);

/** Return a number with its noun, "1 rank", "1,400 MPI calls"; the table owns it. */
const char *hiera_summary_count(const HieraSummary *summary, gint64 n, const char *noun);

/** Return a time, or its share of the time of all ranks, as text; the table owns it. */
const char *hiera_summary_time(const HieraSummary *summary, gint64 ns);
const char *hiera_summary_share(const HieraSummary *summary, gint64 ns);

/** Return the name and the place of a node, like "computation in step before send x.c:20", "step x.c:30". */
const char *hiera_summary_place(const HieraSummary *summary, guint32 node);

/** Return what a node with a call site does. Computation before an operation is "computation in step before send": it
 * names the operation around it, since many places may make the same call. The table owns the text. */
const char *hiera_summary_name(const HieraSummary *summary, guint32 node);

/** Whether the rank that executed an operation is in the scope. */
gboolean hiera_summary_selects(const HieraSummary *summary, guint32 row);

/** With several processes all must call the functions below, and the sentences of process 0 are shown. What it knows
 * by then of other processes' ranks is said at the functions. */

/** Find `delays`, `own_ns` and `nodes`. Process 0 gets the sums of all ranks; in `delays` it has for every rank the
 * time in each node, but the segments only of its own ranks. hiera_summary_clear_nodes frees them again. */
void hiera_summary_find_nodes(HieraSummary *summary);
void hiera_summary_clear_nodes(HieraSummary *summary);
/* Find, in these nodes, the time before MPI_Init and after MPI_Finalize. */
void hiera_summary_find_outside(HieraSummary *summary);

/** Add all sentences about a profile. */
void hiera_summary_add_sums(HieraSummary *summary);

/** Add why the run did not end by itself; what the run was, and its efficiency. */
void hiera_summary_add_ending(HieraSummary *summary);
void hiera_summary_add_run(HieraSummary *summary);
void hiera_summary_add_efficiency(HieraSummary *summary);
void hiera_summary_add_factor(HieraSummary *summary, const char *name, gint64 percent);
/** Add the product of the efficiency factors, and where the time goes. @return FALSE if there are no factors */
gboolean hiera_summary_add_product(HieraSummary *summary, const HieraEfficiencySums *sums);
void hiera_summary_add_places(HieraSummary *summary);

/** For a run that was sampled, or in which functions were timed: add where most of the computation is. */
void hiera_summary_add_inside(HieraSummary *summary);

/** Add the operations that take long before MPI_Init and after MPI_Finalize. */
void hiera_summary_add_outside(HieraSummary *summary);

/** Add the worst waits: who waits where for whom, and why. */
void hiera_summary_add_waits(HieraSummary *summary);

/** Add calls that cost much for what they do: small messages, small collectives, files. */
void hiera_summary_add_calls(HieraSummary *summary);

/** Add the iterations: how long they are, and which differ from the others. */
void hiera_summary_add_iterations(HieraSummary *summary);

/** Add ranks that differ from the others, and the time in which only one rank computes. */
void hiera_summary_add_ranks(HieraSummary *summary);

/** Add the time in which only one rank computes. */
void hiera_summary_add_serial(HieraSummary *summary);

/** Add the limits of the answers. */
void hiera_summary_add_limits(HieraSummary *summary);
