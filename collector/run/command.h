/* Processes of hiera-run: the command of the user, and those that it needs itself. */
#ifndef HIERA_RUN_COMMAND_H
#define HIERA_RUN_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Start a process. @param output  becomes its standard output.  @param mask  signals that are blocked in it */
pid_t hiera_run_start(char **words, int output, const sigset_t *mask);
/* Wait for it; returns its status as wait() has it. */
int hiera_run_wait(pid_t pid);

/* Run the command of the user to its end, as if it were this process: a signal that only this process gets is sent to
 * the command, too; one that a terminal or a batch system sends to all processes has reached it already, and mpirun
 * takes a second one as an order to kill its ranks at once. It stops when the command is stopped by the terminal, and
 * the command dies with it. Afterwards signals stay blocked, so that what is to be done then is done. @return whether
 * it could be started; if not, all is as before */
bool hiera_run_command(char **words, int *status);

/* End as a process with this status has ended. */
void hiera_run_end_like(int status) __attribute__((noreturn));

#endif
