/* Writes the times of a loop, and how its calls differ from those of the previous iteration (HIERA_FOLD). */
#pragma once

#include "loop_find.h"
#include "trace_file.h"

/* Write the value of the attribute `times`. For each call: the time from the end of the previous call (from the start
 * of the enclosing call, for the first one inside it; nothing for the very first call of the loop), and the duration.
 * For each inner loop, before its calls: its number of iterations minus one. */
void hiera_loop_put_times(HieraText *text, const HieraFound *found, const HieraBodies *bodies, const HieraItem *loop);

/* Write a hieraVary for each call that differs from the one expected at its place of the body. `before` is written
 * before the first one. Returns whether there was any. */
bool hiera_loop_put_variants(HieraText *text, const HieraFound *found, const HieraBodies *bodies, const HieraItem *loop,
                             const char *before);

/* Return the start of the first call in an item; return the end of the item's last call. In ns. */
uint64_t hiera_item_start(const HieraFound *found, const HieraItem *item);
uint64_t hiera_item_end(const HieraFound *found, const HieraItem *item);
