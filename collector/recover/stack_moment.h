/* The registers of a thread of another process that goes on running, and the top of its stack. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { HIERA_STACK_BYTES = 16 << 10, HIERA_DWARF_REGISTERS = 16, HIERA_DWARF_SP = 7 };

typedef struct HieraStackMoment {
    pid_t pid, thread;
    bool has_all; /* all registers are known, not only SP and PC */
    uint64_t registers[HIERA_DWARF_REGISTERS], pc;
    uint64_t stack_bytes;
    char stack[HIERA_STACK_BYTES]; /* memory from SP on */
} HieraStackMoment;

/* Take a moment of a thread. The thread is neither stopped nor interrupted: while it is on a processor the kernel takes
 * a sample of it; else the kernel says where it waits. @return NULL; else why nothing is known */
const char *hiera_stack_moment_take(HieraStackMoment *moment, pid_t pid, pid_t thread);

/* Read memory of another process. @return whether all of it could be read */
bool hiera_stack_read(pid_t pid, uint64_t address, void *to, size_t bytes);
