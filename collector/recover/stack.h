/* The call stack of a process that goes on running. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* Write where the main thread of a process is, the innermost function first: "sweep (solve.c:88) < main (solve.c:12)".
 * The process is neither stopped nor interrupted: while it is on a processor the kernel takes a sample of it; else the
 * kernel says where it waits. If it is not known, write why, in parentheses. */
void hiera_stack_describe(pid_t pid, char *text, size_t room);
