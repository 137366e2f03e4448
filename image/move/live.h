/* Which registers and flags a function still needs: code that is added may change the others. */
#pragma once

#include "image/flow/flow.h"

/* Bit of the flags in a set of registers; bit i is general register i. */
#define HIERA_LIVE_FLAGS ((guint32)1 << 16)

/* Find, by block, what may be read before it is written, from the block's begin on. What is not certain is needed.
 * @return  to be freed with g_free */
guint32 *hiera_live_of(const HieraFlow *flow);
