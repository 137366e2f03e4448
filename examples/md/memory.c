/*
 * Hides what happens when memory runs out. A process that ends like this takes the others along: launchers see to that.
 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

void *allocate(int number, size_t size)
{
    void *memory = calloc((size_t)number + 1, size); /* + 1: an array of 0 things must not be NULL */
    if (memory == NULL) {
        fprintf(stderr, "md: out of memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}
