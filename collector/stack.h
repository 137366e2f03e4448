/* Room on the stack for writing a trace. */
#ifndef HIERA_STACK_H
#define HIERA_STACK_H

void hiera_stack_load(void);

/* Call work(argument) here if the stack has room for libdw and what else it calls, otherwise on a stack of our own.
 * With the session's lock held: there is one such stack. */
void hiera_stack_run(void (*work)(void *), void *argument);

#endif
