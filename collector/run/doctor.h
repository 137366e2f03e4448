/* hiera-run --doctor: why there is no trace, no line, no level; before a run, or after one that left nothing. */
#pragma once

#include "launcher.h"
#include "options.h"

/* Prepares a command as for a run, but does not run it: prints its messages on standard error, and LD_PRELOAD=LIST on
 * standard output. May exit. */
typedef void HieraRehearsal(const HieraRunOptions *options, const HieraCommand *command);

/* Print what is found, row by row. @return the exit status: 0 if a recording would work, else 1 */
int hiera_doctor(const HieraRunOptions *options, HieraRehearsal *rehearse);
