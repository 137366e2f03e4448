#include "draws.h"
#include <math.h>

/* Mix the bits of a number: finisher of MurmurHash3, as in SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static guint64 mix(guint64 bits)
{
    bits = (bits ^ bits >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

static guint64 next(HieraRandom *random)
{
    random->at += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    return mix(random->at);
}

HieraRandom hiera_random_new(const guint64 *seeds, guint n)
{
    HieraRandom random = {0};
    for (guint i = 0; i < n; i++)
        random.at = next(&random) ^ mix(seeds[i] + 1);
    return random;
}

gdouble hiera_random_double(HieraRandom *random)
{
    return (gdouble)(next(random) >> 11) * 0x1p-53;
}

gdouble hiera_random_exponential(HieraRandom *random, gdouble mean)
{
    return -mean * log(1 - hiera_random_double(random));
}

/* Draw a number from a normal distribution, by the method of Box and Muller. */
static gdouble draw_normal(gdouble mean, gdouble deviation, HieraRandom *random)
{
    gdouble u = 1 - hiera_random_double(random), v = hiera_random_double(random);
    return mean + deviation * sqrt(-2 * log(u)) * cos(2 * G_PI * v);
}

guint64 hiera_draw_loop(const HieraLoopDraw *draw, HieraRandom *random)
{
    gdouble n = draw->mean;
    if (draw->mean >= (gdouble)draw->max)
        return draw->max;
    switch (draw->distribution) {
    case HIERA_DRAW_UNIFORM:
        n = 2 * draw->mean * hiera_random_double(random);
        break;
    case HIERA_DRAW_NORMAL:
        n = draw_normal(draw->mean, draw->deviation, random);
        break;
    case HIERA_DRAW_EXPONENTIAL:
        n = hiera_random_exponential(random, draw->mean);
        break;
    default:
        break;
    }
    if (n <= 0)
        return 0;
    return n >= (gdouble)draw->max ? draw->max : (guint64)(n + 0.5);
}

gdouble hiera_draw_probability(const HieraBranchDraw *draw, HieraRandom *random)
{
    gdouble probability = draw->mean;
    if (draw->distribution == HIERA_DRAW_NORMAL)
        probability = draw_normal(draw->mean, draw->deviation, random);
    else if (draw->distribution == HIERA_DRAW_EXPONENTIAL)
        probability = hiera_random_exponential(random, draw->mean);
    return CLAMP(probability, 0, 1);
}

gboolean hiera_draw_taken(const HieraBranchDraw *draw, gdouble probability, HieraRandom *random)
{
    return draw->distribution == HIERA_DRAW_FIXED ? probability >= 0.5 : hiera_random_double(random) < probability;
}
