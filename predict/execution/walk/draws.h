/* Random draws for unknown values: number of repetitions of a loop, outcome of a branch. */
#pragma once

#include <glib.h>

/* A random number generator. The same seeds give the same numbers. */
typedef struct {
    guint64 at;
} HieraRandom;

HieraRandom hiera_random_new(const guint64 *seeds, guint n);
/* Draw a number in [0, 1). */
gdouble hiera_random_double(HieraRandom *random);

/* Draw from an exponential distribution. */
gdouble hiera_random_exponential(HieraRandom *random, gdouble mean);

/* Distributions: X(identifier, name). */
#define HIERA_DRAWS(X)                                                                                                 \
    X(FIXED, "fixed")             /* always the mean */                                                                \
    X(UNIFORM, "uniform")         /* between 0 and twice the mean */                                                   \
    X(NORMAL, "normal")           /* normal distribution with a deviation */                                           \
    X(EXPONENTIAL, "exponential") /* for loops: of the number of repetitions */
typedef enum {
#define X(identifier, name) HIERA_DRAW_##identifier,
    HIERA_DRAWS(X)
#undef X
        HIERA_N_DRAWS
} HieraDrawKind;

/* Number of repetitions of loops whose end is not known. */
typedef struct {
    HieraDrawKind distribution;
    gdouble mean, deviation;
    guint64 max; /* upper limit; if the mean is as large, always this number */
} HieraLoopDraw;

/* Decisions of branches that are not known. Each branch has a probability, drawn once; each decision is then drawn with
 * it. FIXED: always the more likely edge. */
typedef struct {
    HieraDrawKind distribution;
    gdouble mean, deviation; /* mean and deviation of the probability */
} HieraBranchDraw;

guint64 hiera_draw_loop(const HieraLoopDraw *draw, HieraRandom *random);
gdouble hiera_draw_probability(const HieraBranchDraw *draw, HieraRandom *random);
gboolean hiera_draw_taken(const HieraBranchDraw *draw, gdouble probability, HieraRandom *random);
