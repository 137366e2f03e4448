/* Searches the stack of another thread for an address. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether the stack that begins at `stack` contains an address for which `is_such` holds, such as one to which a signal
 * handler returns. Memory is read through the file `memory`, since a stack may be anywhere; memory that cannot be read
 * counts as containing one. One thread at a time; safe in a process that shares this one's memory. */
bool hiera_stack_words_have(int memory, uintptr_t stack, bool (*is_such)(void *data, uintptr_t address), void *data);
