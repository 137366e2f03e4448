/* The words of the command that preload libraries into the ranks, and those in which the command itself preloads
 * something. */
#ifndef HIERA_RUN_PRELOADING_H
#define HIERA_RUN_PRELOADING_H

#include "launcher.h"

/* What is preloaded into the launcher, or the program, without Hiera: by the environment, or by `env` before it; or
 * NULL. */
const char *hiera_preloading_before(const HieraCommand *command);

/* The command with words that preload these libraries: after the launcher and for each further program, or before the
 * program. Where the command preloads something into the ranks (mpirun -x LD_PRELOAD=…, -genv LD_PRELOAD …, env
 * LD_PRELOAD=… ./app), both are preloaded. */
HieraWords hiera_preloading_command(const HieraCommand *command, const char *preload);

/* Is this word the command env? */
bool hiera_preloading_is_env(const char *word);

/* Is the word behind this option of env its value? */
bool hiera_preloading_is_before_value(const char *option);

#endif
