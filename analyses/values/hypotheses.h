/** Hypotheses of the search for bottlenecks. Each one is a kind of lost time, and true if its share of the run
 * time reaches a threshold. */
#pragma once

#include "hiera_measure.h"

/** Hypotheses: X(identifier, name, default threshold in percent), in the order of the output. */
#define HIERA_HYPOTHESES(X)                                                                                            \
    X(IMBALANCE, "imbalance", 10)             /* some ranks compute longer than the mean of all */                     \
    X(SERIAL, "serial", 10)                   /* only one rank computes */                                             \
    X(SYNCHRONISATION, "synchronisation", 10) /* time in which ranks wait in collectives */                            \
    X(LATE_SENDERS, "late-senders", 10)       /* time in which ranks wait for messages */                              \
    X(LATE_RECEIVERS, "late-receivers", 10)   /* time in which senders wait until their receiver takes the message */  \
    X(WINDOWS, "windows", 10)                 /* time in which ranks wait in one-sided communication */                \
    X(TRANSFER, "transfer", 10)               /* time in MPI without waiting, and not in calls on files */             \
    X(SMALL_MESSAGES, "small-messages", 10)   /* the part of TRANSFER in calls that carry less than 1 kB */            \
    X(IO, "io", 10)                           /* time in calls on files */                                             \
    X(THREADS, "threads", 10)                 /* mean time of a rank's threads of OpenMP in which they idle */

/** All thresholds: those of the hypotheses, and the one of loops. */
#define HIERA_THRESHOLDS(X)                                                                                            \
    HIERA_HYPOTHESES(X)                                                                                                \
    X(LOOPS, "loops", 20) /* share of a loop in its function, and of a function in the run */

typedef enum {
#define X(identifier, name, percent) HIERA_HYPOTHESIS_##identifier,
    HIERA_THRESHOLDS(X)
#undef X
        HIERA_N_THRESHOLDS,
    HIERA_N_HYPOTHESES = HIERA_HYPOTHESIS_LOOPS
} HieraHypothesis;

/** Result of testing a hypothesis for a part of the run: X(identifier, name). */
#define HIERA_TEST_VERDICTS(X) X(TRUE, "true") X(FALSE, "false") X(UNKNOWN, "unknown") X(UNTESTED, "never evaluated")
typedef enum {
#define X(identifier, name) HIERA_TEST_##identifier,
    HIERA_TEST_VERDICTS(X)
#undef X
} HieraTestVerdict;

/** Return the name of a verdict, a constant. */
const char *hiera_test_verdict_name(HieraTestVerdict verdict);

/** Return the name of a hypothesis, a constant. */
const char *hiera_hypothesis_name(HieraHypothesis hypothesis);

/** Parse the thresholds, in hundredths of a percent.
 *
 * @param text        such as "imbalance=5,io=2.5", in percent; the others keep their defaults. NULL: all keep them
 * @param thresholds  unchanged if parsing fails
 * @return false if the text is not such a list */
gboolean hiera_thresholds_parse(const char *text, gint64 thresholds[HIERA_N_THRESHOLDS]);
