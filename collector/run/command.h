/* Processes of hiera-run: the command of the user, and those that it needs itself. */
#ifndef HIERA_RUN_COMMAND_H
#define HIERA_RUN_COMMAND_H

#include <signal.h>
#include <sys/types.h>

/* Start a process. @param output  becomes its standard output.  @param mask  signals that are blocked in it */
pid_t hiera_run_start(char **words, int output, const sigset_t *mask);
/* Wait for it; returns its status as wait() has it. */
int hiera_run_wait(pid_t pid);

/* Run the command of the user to its end; returns its status. A signal that only this process gets is sent to the command, too; one
 * that a terminal or a batch system sends to all processes has reached it already, and mpirun takes a second one as an order
 * to kill its ranks at once. Afterwards signals stay blocked, so that what became of the rules is told. */
int hiera_run_command(char **words);

#endif
