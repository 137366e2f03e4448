/* What is drawn where a value is not known: how often a loop is repeated, whether a branch is taken. */
#ifndef HIERA_EXECUTION_DRAWS_H
#define HIERA_EXECUTION_DRAWS_H

#include <glib.h>

/* Random numbers. What begins with the same seeds draws the same. */
typedef struct {
    guint64 at;
} HieraRandom;

HieraRandom hiera_random_new(const guint64 *seeds, guint n);
/* From 0 to 1, without 1. */
gdouble hiera_random_double(HieraRandom *random);

/* Exponential. */
gdouble hiera_random_exponential(HieraRandom *random, gdouble mean);

/* Distributions: X(identifier, name). */
#define HIERA_DRAWS(X)                                                                                                 \
    X(FIXED, "fixed")             /* always the mean */                                                                \
    X(UNIFORM, "uniform")         /* from 0 to twice the mean */                                                       \
    X(NORMAL, "normal")           /* with a deviation */                                                               \
    X(EXPONENTIAL, "exponential") /* of loops: the number of repetitions */
typedef enum {
#define X(identifier, name) HIERA_DRAW_##identifier,
    HIERA_DRAWS(X)
#undef X
        HIERA_N_DRAWS
} HieraDrawKind;

/* How often loops are repeated whose end is not known. */
typedef struct {
    HieraDrawKind distribution;
    gdouble mean, deviation;
    guint64 max; /* never more; if the mean is as much, it is always that */
} HieraLoopDraw;

/* How branches are decided that are not known. Each branch has a probability, drawn once; then each time it is drawn
 * whether it is taken. FIXED: always the likelier way. */
typedef struct {
    HieraDrawKind distribution;
    gdouble mean, deviation; /* of the probability */
} HieraBranchDraw;

guint64 hiera_draw_loop(const HieraLoopDraw *draw, HieraRandom *random);
gdouble hiera_draw_probability(const HieraBranchDraw *draw, HieraRandom *random);
gboolean hiera_draw_taken(const HieraBranchDraw *draw, gdouble probability, HieraRandom *random);

#endif
