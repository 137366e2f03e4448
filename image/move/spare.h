/* Loops without calls. Where no number of the loop tells how often it ran, a register that nobody needs may count;
 * and one that has no loop inside, whose executions are often short, may have a second copy that tells what happens, so
 * that the first one does nothing more than the original. */
#pragma once

#include "live.h"
#include "steps.h"

/* Fill in `is_spare` and `is_doubled` of each loop of a function. */
void hiera_spare_find(const HieraFlow *flow, const HieraLive *live, HieraInduction *all);
