/* Processes that hiera-run starts: the user's command, and helper programs. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Start a program. @param output  descriptor of its standard output.  @param mask  signals that are blocked in it */
pid_t hiera_run_start(char **words, int output, const sigset_t *mask);
/* Wait for the end of a process that hiera_run_start() has started; return its status as from wait(). */
int hiera_run_wait(pid_t pid);

/* Run the command of the user to its end, as if it were this process: a signal that only this process gets is sent to
 * the command, too; a signal that a terminal or a batch system sends to all processes has reached it already, and
 * mpirun takes a second one as an order to kill its ranks at once. This process stops when the command is stopped by
 * the terminal, and the command dies with it. Afterwards signals stay blocked, so that the remaining work gets done.
 * @return whether the command could be started; if not, nothing has changed */
bool hiera_run_command(char **words, int *status);

/* End hiera-run as a process with this wait() status has ended: by the same signal or exit status. */
void hiera_run_end_like(int status) __attribute__((noreturn));

/* Return the path of hiera-transform. Exits with an error that says what needs it if it is not there. */
char *hiera_transform_find(const char *needs);
/* Run hiera-transform when the command has ended, alone, with standard error as its output: that of the command is left
 * as it is.
 * @param words  its words, NULL-terminated. @return its status, as from wait() */
int hiera_transform_run(char **words);
