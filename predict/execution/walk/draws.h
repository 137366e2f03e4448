/* Random values for what is not known: number of repetitions of a loop, outcome of a branch. */
#pragma once

#include <glib.h>

/* State of a random number generator: the same seeds give the same numbers. */
typedef struct {
    guint64 at;
} HieraRandom;

HieraRandom hiera_random_new(const guint64 *seeds, guint n);
/* Draw a random number, uniform in [0, 1). */
gdouble hiera_random_double(HieraRandom *random);

/* Draw a random number from an exponential distribution with this mean. */
gdouble hiera_random_exponential(HieraRandom *random, gdouble mean);

/* Distributions of random values: X(identifier, name). */
#define HIERA_DRAWS(X)                                                                                                 \
    X(FIXED, "fixed")             /* always the mean, nothing is random */                                             \
    X(UNIFORM, "uniform")         /* uniform between 0 and twice the mean */                                           \
    X(NORMAL, "normal")           /* normal, with a standard deviation */                                              \
    X(EXPONENTIAL, "exponential") /* exponential: for numbers of repetitions of loops */
typedef enum {
#define X(identifier, name) HIERA_DRAW_##identifier,
    HIERA_DRAWS(X)
#undef X
        HIERA_N_DRAWS
} HieraDrawKind;

/* Distribution of the number of repetitions of a loop whose end is not known. */
typedef struct {
    HieraDrawKind distribution;
    gdouble mean, deviation;
    guint64 max; /* upper limit of the number; if the mean is not smaller, each loop has this number */
} HieraLoopDraw;

/* Decisions of branches that are not known. Each branch has a probability, drawn once; each decision is then drawn with
 * it. FIXED: always the more likely edge. */
typedef struct {
    HieraDrawKind distribution;
    gdouble mean, deviation; /* mean and standard deviation of a branch's probability of being taken */
} HieraBranchDraw;

guint64 hiera_draw_loop(const HieraLoopDraw *draw, HieraRandom *random);
gdouble hiera_draw_probability(const HieraBranchDraw *draw, HieraRandom *random);
gboolean hiera_draw_taken(const HieraBranchDraw *draw, gdouble probability, HieraRandom *random);
