/* Room on the stack for writing a trace. */
#ifndef HIERA_WRITER_STACK_H
#define HIERA_WRITER_STACK_H

void hiera_stack_load(void);

/* Call work(argument) here if the stack has room for libdw and what else it calls, otherwise on a stack of our own.
 * With the session's lock held: there is one such stack. */
void hiera_stack_run(void (*work)(void *), void *argument);

/* On our own stack whatever room there is: in a hurry, since the look costs a part of a millisecond. */
void hiera_stack_run_apart(void (*work)(void *), void *argument);

#endif
