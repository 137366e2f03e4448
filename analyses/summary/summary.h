/** The parts of the summary: each adds its sentences. Those that do not fit on the screen are left out, the least
 * important ones first. */
#pragma once

#include "causes/cause_rows.h"
#include "causes/delays.h"
#include "efficiency/efficiency_sums.h"

/** Parts of the screen, from above: X(identifier, topic). If calls cost more than the worst wait, they change places.
 */
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

/** What the calls in each node do, of the ranks in the scope. */
typedef struct {
    gint64 *calls, *bytes; /* by node: of collectives */
    gint64 *operations;    /* by node: how many there are, of all ranks */
    gint64 *waiting_ns;    /* by node: of main threads */
    gint64 *sent;          /* by node: messages */
    gint64 *outside_ns;    /* by node: time before MPI_Init and after MPI_Finalize */
    gint64 *messages;      /* by node: not 0 if it takes part in messages */
    gint64 n_messages, message_bytes, outside_sum_ns;
} HieraSummaryNodes;

/** How much a sentence matters: those of a later word go first. */
typedef enum { HIERA_SAY_ALWAYS, HIERA_SAY_FIRST, HIERA_SAY_SECOND, HIERA_SAY_THIRD, HIERA_SAY_LAST } HieraSaying;

/** What all parts use. */
typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraCallPaths paths; /* of all ranks */
    const GArray *waits;
    HieraDelays *delays;
    HieraSummaryNodes nodes;       /* of the own ranks; in the process that leads then of all */
    const GArray *sampled, *timed; /* HieraSampled, HieraTimed, by processor */
    gint64 *own_ns;                /* by node of the paths: time of the ranks in the scope, waits left out */
    gint64 run_ns;                 /* of all ranks in the scope together */
    gint64 begin_ns, end_ns;       /* of the run, in the scope */
    gint64 worst_wait, worst_call; /* greatest share that a sentence names, in hundredths of a percent */
    const char *ending;            /* topic of HIERA_SUMMARY_ENDING */
    gboolean hung;                 /* it did not end by itself: ranks still were in calls */
    GArray *sentences;             /* of summary.c */
    HieraTable *table;
} HieraSummary;

/** Add a sentence.
 *
 * @param more  the options that show more of it; "" : none. A constant */
void hiera_summary_say(HieraSummary *summary, HieraSummaryPart part, HieraSaying saying, const char *more,
                       const char *format, ...) G_GNUC_PRINTF(5, 6);

/** Let a sentence, by its place among those that were said, point to an operation.
 *
 * @param row  where one process has all operations; HIERA_NONE: to none */
void hiera_summary_point(HieraSummary *summary, guint sentence, guint32 row);

/** Give the sentence that was said last a bar. @param bar  hundredths of a percent */
void hiera_summary_draw_bar(HieraSummary *summary, gint64 bar);

/** Return a number with its noun, "1 rank", "1,400 MPI calls"; the table owns it. */
const char *hiera_summary_count(const HieraSummary *summary, gint64 n, const char *noun);

/** Return a time, or a share of the time of all ranks, as a person reads it; the table owns it. */
const char *hiera_summary_time(const HieraSummary *summary, gint64 ns);
const char *hiera_summary_share(const HieraSummary *summary, gint64 ns);

/** Return a node as "computation in step before send x.c:20", "step x.c:30". */
const char *hiera_summary_place(const HieraSummary *summary, guint32 node);

/** Return what a node with a call site does, of computation before an operation as "computation in step before send":
 * the name of the operation around it tells more than that of a call that many places make. The table owns it. */
const char *hiera_summary_name(const HieraSummary *summary, guint32 node);

/** Whether the rank that executed an operation is in the scope. */
gboolean hiera_summary_selects(const HieraSummary *summary, guint32 row);

/** Of several processes all call what follows, and the sentences of the one that leads count: what is known of the
 * ranks of others by then is what is said of each part below. */

/** Find `delays`, `own_ns` and `nodes`. The process that leads gets them of all: of `delays` what a rank spends in each
 * node, when only of own ones. Free them again. */
void hiera_summary_find_nodes(HieraSummary *summary);
void hiera_summary_clear_nodes(HieraSummary *summary);
/* Of them, the time before MPI_Init and after MPI_Finalize. */
void hiera_summary_find_outside(HieraSummary *summary);

/** All that there is to say about a profile. */
void hiera_summary_add_sums(HieraSummary *summary);

/** Why the run did not end by itself; what it was, and its efficiency; where the time goes. */
void hiera_summary_add_ending(HieraSummary *summary);
void hiera_summary_add_run(HieraSummary *summary);
void hiera_summary_add_efficiency(HieraSummary *summary);
void hiera_summary_add_factor(HieraSummary *summary, const char *name, gint64 percent);
/** Add what the factors make together. @return FALSE: there are no factors */
gboolean hiera_summary_add_product(HieraSummary *summary, const HieraEfficiencySums *sums);
void hiera_summary_add_places(HieraSummary *summary);

/** Of a run that was sampled, or in which functions were timed: where most of the computation is. */
void hiera_summary_add_inside(HieraSummary *summary);

/** What operations take before MPI_Init and after MPI_Finalize. */
void hiera_summary_add_outside(HieraSummary *summary);

/** The worst waits: who waits where for whom, and why. */
void hiera_summary_add_waits(HieraSummary *summary);

/** Calls that cost much for what they do: small messages, small collectives, files. */
void hiera_summary_add_calls(HieraSummary *summary);

/** The iterations: how long they are, and which are unlike the others. */
void hiera_summary_add_iterations(HieraSummary *summary);

/** Ranks unlike the others, and when only one computes. */
void hiera_summary_add_ranks(HieraSummary *summary);

/** When only one rank computes. */
void hiera_summary_add_serial(HieraSummary *summary);

/** What limits the answers. */
void hiera_summary_add_limits(HieraSummary *summary);
