/* See draws.h. */
#include "draws.h"
#include <math.h>

/* Box and Muller. */
static gdouble draw_normal(gdouble mean, gdouble deviation, GRand *random)
{
    gdouble u = 1 - g_rand_double(random), v = g_rand_double(random);
    return mean + deviation * sqrt(-2 * log(u)) * cos(2 * G_PI * v);
}

guint64 hiera_draw_loop(const HieraLoopDraw *draw, GRand *random)
{
    gdouble n = draw->mean;
    if (draw->mean >= (gdouble)draw->max)
        return draw->max;
    switch (draw->distribution) {
    case HIERA_DRAW_UNIFORM:
        n = 2 * draw->mean * g_rand_double(random);
        break;
    case HIERA_DRAW_NORMAL:
        n = draw_normal(draw->mean, draw->deviation, random);
        break;
    case HIERA_DRAW_EXPONENTIAL:
        n = -draw->mean * log(1 - g_rand_double(random));
        break;
    default:
        break;
    }
    return n <= 0 ? 0 : n >= (gdouble)draw->max ? draw->max : (guint64)(n + 0.5);
}

gdouble hiera_draw_probability(const HieraBranchDraw *draw, GRand *random)
{
    gdouble probability = draw->mean;
    if (draw->distribution == HIERA_DRAW_NORMAL)
        probability = draw_normal(draw->mean, draw->deviation, random);
    else if (draw->distribution == HIERA_DRAW_EXPONENTIAL)
        probability = -draw->mean * log(1 - g_rand_double(random));
    return CLAMP(probability, 0, 1);
}

gboolean hiera_draw_taken(const HieraBranchDraw *draw, gdouble probability, GRand *random)
{
    return draw->distribution == HIERA_DRAW_FIXED ? probability >= 0.5 : g_rand_double(random) < probability;
}
