/* Provides a stack on which a trace is written, where the program's stack is too small. */
#pragma once

void hiera_stack_load(void);

/* Call work(argument) on the present stack if it has room for libdw, else on a stack of Hiera's own. Called with the
 * lock held, since there is only one such stack. */
void hiera_stack_run(void (*work)(void *), void *argument);

/* As hiera_stack_run(), but always on Hiera's stack: for signal handlers in a hurry, since measuring the free room
 * takes a part of a millisecond. */
void hiera_stack_run_apart(void (*work)(void *), void *argument);
