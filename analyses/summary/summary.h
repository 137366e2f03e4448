/** The parts of the summary: each adds its sentences. Those that do not fit on the screen are left out, the least
 * important ones first. */
#pragma once

#include "causes/cause_rows.h"
#include "causes/delays.h"
#include "efficiency/efficiency_sums.h"

/** Parts of the screen, from top to bottom: X(identifier, topic). If calls cost more than the worst wait, CALLS comes
 * before WAITS. */
#define HIERA_SUMMARY_PARTS(X)                                                                                         \
    X(ENDING, NULL) /* the topic of ENDING is in HieraSummary.ending: "Deadlock", … */                               \
    X(RUN, "Run")                                                                                                      \
    X(EFFICIENCY, "Efficiency")                                                                                        \
    X(THREADS, "Threads")                                                                                              \
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

/** Sums over the operations in each node of the call paths, on the ranks in the scope. */
typedef struct {
    gint64 *calls, *bytes; /* by node: number of its calls that take part in collectives, and their bytes */
    gint64 *operations;    /* by node: number of its operations, also of ranks outside the scope */
    gint64 *waiting_ns;    /* by node: time that main threads wait in its calls */
    gint64 *sent;          /* by node: number of messages that its calls send */
    gint64 *outside_ns;    /* by node: time of its operations before MPI_Init or after MPI_Finalize */
    gint64 *messages;      /* by node: more than 0 if its calls send, receive or complete messages */
    gint64 n_messages, message_bytes, outside_sum_ns;
} HieraSummaryNodes;

/** Importance of a sentence. If not all fit, those with the greatest value are left out first. */
typedef enum { HIERA_SAY_ALWAYS, HIERA_SAY_FIRST, HIERA_SAY_SECOND, HIERA_SAY_THIRD, HIERA_SAY_LAST } HieraSaying;

/** Data that all parts of the summary use. */
typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraCallPaths paths; /* call paths of all ranks */
    const GArray *waits;
    HieraDelays *delays;
    HieraSummaryNodes nodes;       /* sums over this process's ranks; after gathering, in process 0, over all ranks */
    const GArray *sampled, *timed; /* HieraSampled, HieraTimed, by processor; of all ranks in process 0 */
    gint64 *own_ns;           /* by node of `paths`: time of the ranks in the scope in the node itself, without waits */
    gint64 run_ns;            /* sum of the run times of the ranks in the scope, in ns */
    gint64 begin_ns, end_ns;  /* first init and last finalize of a rank in the scope */
    gint64 n_teams, n_others; /* ranks with threads of OpenMP that count; those of them with further threads */
    gint64 worst_wait, worst_call; /* greatest share of the run that a sentence names, in 0.01 %: in WAITS; in CALLS */
    const char *ending;            /* topic of the part ENDING */
    gboolean hung;                 /* TRUE unless all ranks ended after MPI_Finalize */
    GArray *sentences;             /* Sentence of summary.c */
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

/** Give the sentence that was added last a bar. @param bar  length in hundredths of a percent */
void hiera_summary_draw_bar(HieraSummary *summary, gint64 bar);

/** Return a number and its noun as text, like "1 rank", "1,400 MPI calls"; the table owns the text. */
const char *hiera_summary_count(const HieraSummary *summary, gint64 n, const char *noun);

/** Return a time as text, like "1.44 ms"; the next function returns its share of run_ns. The table owns the texts. */
const char *hiera_summary_time(const HieraSummary *summary, gint64 ns);
const char *hiera_summary_share(const HieraSummary *summary, gint64 ns);

/** Return name and call site of a node, like "computation in step before send x.c:20", "step x.c:30". */
const char *hiera_summary_place(const HieraSummary *summary, guint32 node);

/** Return what a node with a call site does. Computation before an operation is "computation in step before send": it
 * names the operation around it, since many places may make the same call. The table owns the text. */
const char *hiera_summary_name(const HieraSummary *summary, guint32 node);

/** Whether the rank of an operation is in the scope. */
gboolean hiera_summary_selects(const HieraSummary *summary, guint32 row);

/** With several processes all must call the functions below, and the sentences of process 0 are shown. What it knows
 * by then of other processes' ranks is said at the functions. */

/** Find `delays`, `own_ns` and `nodes`. Process 0 gets the sums of all ranks; in `delays` it has for every rank the
 * time in each node, but the segments only of its own ranks. hiera_summary_clear_nodes frees them again. */
void hiera_summary_find_nodes(HieraSummary *summary);
void hiera_summary_clear_nodes(HieraSummary *summary);
/* Set outside_ns of `nodes`: time before MPI_Init and after MPI_Finalize. */
void hiera_summary_find_outside(HieraSummary *summary);

/** Add all sentences for traces that have sums of calls (profiles). */
void hiera_summary_add_sums(HieraSummary *summary);

/** Add why the run did not end by itself; the next functions add its sizes, and its efficiency. */
void hiera_summary_add_ending(HieraSummary *summary);
void hiera_summary_add_run(HieraSummary *summary);
void hiera_summary_add_efficiency(HieraSummary *summary);
/** @param remark  text in the place of the bar; "": none */
void hiera_summary_add_factor(HieraSummary *summary, const char *name, gint64 percent, const char *remark);
/** Add the parallel efficiency. @return FALSE if it is not the product of factors, because there are none */
gboolean hiera_summary_add_product(HieraSummary *summary, const HieraEfficiencySums *sums);
void hiera_summary_add_places(HieraSummary *summary);

/** Add where threads of OpenMP idle. */
void hiera_summary_add_threads(HieraSummary *summary);

/** Add where most of the computation is, if the run has samples or exact times of functions. */
void hiera_summary_add_inside(HieraSummary *summary);

/** Add operations that take long before MPI_Init or after MPI_Finalize. */
void hiera_summary_add_outside(HieraSummary *summary);

/** Add the worst waits: which ranks wait where for which ranks, and why. */
void hiera_summary_add_waits(HieraSummary *summary);

/** Add calls that cost much for what they do: small messages, small collectives, files. */
void hiera_summary_add_calls(HieraSummary *summary);

/** Add the iterations of the run: how long they take, and which of them differ from the others. */
void hiera_summary_add_iterations(HieraSummary *summary);

/** Add what is said of threads that were not recorded, to the limits. */
void hiera_summary_add_unrecorded(HieraSummary *summary);

/** Add ranks whose computation differs from that of the others, and serial sections (hiera_summary_add_serial). */
void hiera_summary_add_ranks(HieraSummary *summary);

/** Add serial sections: the time in which only one rank computes. */
void hiera_summary_add_serial(HieraSummary *summary);

/** Add what limits the answers, such as missing ranks, traces cut short, or clocks that differ. */
void hiera_summary_add_limits(HieraSummary *summary);
