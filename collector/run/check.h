/* hiera-run --check: record what --validate needs, and say what it finds when the command has ended. */
#pragma once

#include <stdbool.h>

/* Called before the command is made: set what checks need (environment). Exits with an error if nothing could be
 * checked.
 * @param suppress  file of findings that are known, for hiera-transform --suppress; NULL: none */
void hiera_check_prepare(char *suppress);
/* Set what the collector has to record for it, where the user has not. Before the levels are chosen: checks need one.
 */
void hiera_check_want(void);

/* Called when the command has ended: print what is found on standard error.
 * @param status     the command's, as from wait(), which is returned if it is not that of a success
 * @param has_trace  whether it has left a trace
 * @return an exit with 1 if an error was found, or nothing was checked */
int hiera_check_judge(int status, bool has_trace);
