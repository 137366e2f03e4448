/*
 * Memory that is there, or else the end.
 */
#ifndef MD_MEMORY_H
#define MD_MEMORY_H

#include <stddef.h>

/* Memory for a number of things, all bits zero; ends the program if there is none. Number 0 is fine. */
void *allocate(int number, size_t size);

#endif
