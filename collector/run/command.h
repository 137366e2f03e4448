/* Processes of hiera-run: the command of the user, and helper programs. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Start a process. @param output  becomes its standard output.  @param mask  signals that are blocked in it */
pid_t hiera_run_start(char **words, int output, const sigset_t *mask);
/* Wait for a process; return its status as from wait(). */
int hiera_run_wait(pid_t pid);

/* Run the command of the user to its end, as if it were this process: a signal that only this process gets is sent to
 * the command, too; a signal that a terminal or a batch system sends to all processes has reached it already, and
 * mpirun takes a second one as an order to kill its ranks at once. This process stops when the command is stopped by
 * the terminal, and the command dies with it. Afterwards signals stay blocked, so that the remaining work gets done.
 * @return whether the command could be started; if not, nothing has changed */
bool hiera_run_command(char **words, int *status);

/* End this process in the same way as a process with this status has ended. */
void hiera_run_end_like(int status) __attribute__((noreturn));
