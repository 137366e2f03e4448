/* Writes the times of a loop, and in what its calls differ from those of the turn before (HIERA_FOLD). */
#ifndef HIERA_LOOP_TIMES_OF_LOOP_H
#define HIERA_LOOP_TIMES_OF_LOOP_H

#include "loop_find.h"
#include "trace_file.h"

/* Write the value of the attribute `times`: of each call the time from the end of the one before it (from the start of
 * the one around it, if it is the first one inside; of the very first call of the loop nothing) and its duration; of
 * each loop inside, before them, the number of its turns but one. */
void hiera_loop_put_times(HieraText *text, const HieraFound *found, const HieraBodies *bodies, const HieraItem *loop);

/* Write a hieraVary for each call that is not the one that its place of the body is known for. `before` is written
 * before the first one. Returns whether there was one. */
bool hiera_loop_put_variants(HieraText *text, const HieraFound *found, const HieraBodies *bodies, const HieraItem *loop,
                             const char *before);

/* The start of the first call of an item, and the end of its last one. */
uint64_t hiera_item_start(const HieraFound *found, const HieraItem *item);
uint64_t hiera_item_end(const HieraFound *found, const HieraItem *item);

#endif
