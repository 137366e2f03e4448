#include "life.h"

#include "clock.h"

#include <unistd.h>

HieraLife hiera_life;

uint64_t hiera_life_unique(void)
{
    return hiera_clock_birth_ns() ^ ((uint64_t)getpid() << 40);
}
