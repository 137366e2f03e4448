/* What is on the stack of a thread, looked at from outside. */
#ifndef HIERA_STACK_WORDS_H
#define HIERA_STACK_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* Is such an address on the stack that begins at `stack`, as of a place that a signal handler comes back to? Memory is
 * read as a file, `memory`: a stack may be anywhere. What cannot be read may have one. One thread at a time; safe in a
 * process that shares our memory. */
bool hiera_stack_words_have(int memory, uintptr_t stack, bool (*is_such)(void *data, uintptr_t address), void *data);

#endif
