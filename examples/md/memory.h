/*
 * Memory that is there, or else the end.
 */
#pragma once

#include <stddef.h>

/* Returns zeroed memory for `number` things, also for 0. Ends the program if there is no memory. */
void *allocate(int number, size_t size);
