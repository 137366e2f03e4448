/* hiera-run --attach: sends commands to the processes of a running job on this host (collector/attach/). */
#pragma once

/* Send each command, NAME=VALUE, and print the answers of the ranks.
 *
 * @param traces    the folder of the traces
 * @param commands  ends with NULL; if empty, the answers say what is switched on
 * @return  the exit status: 0; 1: a rank refuses, or gives no answer. Does not return if there is no process to send to
 */
int hiera_run_attach(const char *traces, char **commands);
