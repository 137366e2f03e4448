/** What the search for bottlenecks supposes: each hypothesis is a kind of lost time, and true if its share of the run
 * time reaches a threshold. */
#pragma once

#include "hiera_measure.h"

/** X(identifier, name, threshold in percent), in the order of the answer. */
#define HIERA_HYPOTHESES(X)                                                                                            \
    X(IMBALANCE, "imbalance", 10)             /* some ranks compute longer than the mean */                            \
    X(SERIAL, "serial", 10)                   /* only one rank computes */                                             \
    X(SYNCHRONISATION, "synchronisation", 10) /* waiting in collectives */                                             \
    X(LATE_SENDERS, "late-senders", 10)       /* waiting for messages */                                               \
    X(LATE_RECEIVERS, "late-receivers", 10)   /* waiting for those who take messages */                                \
    X(WINDOWS, "windows", 10)                 /* waiting in one-sided communication */                                 \
    X(TRANSFER, "transfer", 10)               /* in MPI, but neither waiting nor on files */                           \
    X(SMALL_MESSAGES, "small-messages", 10)   /* the part of transfer in calls that carry less than 1 kB */            \
    X(IO, "io", 10)                           /* in calls on files */

/** All that has a threshold: those, and what exact times say. */
#define HIERA_THRESHOLDS(X)                                                                                            \
    HIERA_HYPOTHESES(X)                                                                                                \
    X(LOOPS, "loops", 20) /* a loop takes so much of its function, a function of the run */

typedef enum {
#define X(identifier, name, percent) HIERA_HYPOTHESIS_##identifier,
    HIERA_THRESHOLDS(X)
#undef X
        HIERA_N_THRESHOLDS,
    HIERA_N_HYPOTHESES = HIERA_HYPOTHESIS_LOOPS
} HieraHypothesis;

/** What a test says of a hypothesis, at some place: X(identifier, name). */
#define HIERA_TEST_VERDICTS(X) X(TRUE, "true") X(FALSE, "false") X(UNKNOWN, "unknown") X(UNTESTED, "never evaluated")
typedef enum {
#define X(identifier, name) HIERA_TEST_##identifier,
    HIERA_TEST_VERDICTS(X)
#undef X
} HieraTestVerdict;

/** Name of a verdict; a constant. */
const char *hiera_test_verdict_name(HieraTestVerdict verdict);

/** Name of a hypothesis; a constant. */
const char *hiera_hypothesis_name(HieraHypothesis hypothesis);

/** Set the thresholds, in hundredths of a percent.
 *
 * @param text        like "imbalance=5,io=2.5", in percent; the others keep their defaults. NULL: all do
 * @param thresholds  unchanged if parsing fails
 * @return false if the text is no such list */
gboolean hiera_thresholds_parse(const char *text, gint64 thresholds[HIERA_N_THRESHOLDS]);
