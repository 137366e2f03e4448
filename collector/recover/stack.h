/* The call stacks of a process that goes on running. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* Write where the main thread of a process is, the innermost function first: "sweep (solve.c:88) < main (solve.c:12)";
 * then its other threads but those of MPI, alike ones together: "; 3 threads: step (solve.c:40)". The process is
 * neither stopped nor interrupted (stack_moment.h). What is not known has the reason, in parentheses. */
void hiera_stack_describe(pid_t pid, char *text, size_t room);
