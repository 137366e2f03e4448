/*
 * Hides how the random numbers are made: by mixing the bits of their names with the finaliser of SplitMix64
 * (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
 */
#include "random.h"

#include <math.h>
#include <stdint.h>

static uint64_t mix(uint64_t bits)
{
    bits += 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

double random_uniform(int seed, int stream, int particle, int draw)
{
    uint64_t bits = mix((uint64_t)seed);
    bits = mix(bits ^ (uint64_t)stream);
    bits = mix(bits ^ (uint64_t)particle);
    bits = mix(bits ^ (uint64_t)draw);
    return ((bits >> 12) + 0.5) * 0x1p-52; /* + 0.5: never 0, since its logarithm is taken */
}

Vector random_velocity(int seed, int stream, int particle, double temperature)
{
    const double pi = 3.14159265358979323846;
    Vector velocity;

    /* Box and Muller: two uniform random numbers make one with normal distribution. */
    for (int k = 0; k < 3; k++) {
        double length = sqrt(-2 * log(random_uniform(seed, stream, particle, 2 * k)));
        double angle = 2 * pi * random_uniform(seed, stream, particle, 2 * k + 1);
        velocity.c[k] = (float)(sqrt(temperature) * length * cos(angle));
    }
    return velocity;
}
