/* hiera-run --attach: tell the processes of a running job, on this host, what to do (collector/attach/). */
#ifndef HIERA_RUN_ATTACH_H
#define HIERA_RUN_ATTACH_H

/* Send each word, NAME=VALUE, and print what the ranks answer.
 *
 * @param traces    the folder of the traces
 * @param commands  end with NULL; none: the answers say what is switched on
 * @return  the exit status: 0; 1: a rank refuses, or gives no answer. Does not return if there is nobody to tell */
int hiera_run_attach(const char *traces, char **commands);

#endif
