/*
 * Memory that is there, or else the end.
 */
#pragma once

#include <stddef.h>

/* Memory for a number of things, all bits zero; ends the program if there is none. Number 0 is fine. */
void *allocate(int number, size_t size);
