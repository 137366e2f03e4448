#include "forked_regions.h"

#include "base/kept.h"

HieraForked hiera_forked HIERA_KEPT;

bool hiera_forked_end(void)
{
    bool is_one = hiera_forked.open > 0;
    hiera_forked.open -= is_one;
    return is_one;
}
