/* The words of the command that preload our libraries into the ranks, and those with which the command itself preloads
 * libraries. */
#pragma once

#include "launcher.h"

/* Return the libraries that are preloaded into the launcher, or the program, without Hiera: by the environment, or by
 * `env` before it; or NULL. */
const char *hiera_preloading_before(const HieraCommand *command);

/* Return the command with words that preload these libraries: after the launcher and for each further program, or
 * before the program. If the command itself preloads libraries into the ranks (mpirun -x LD_PRELOAD=…, -genv LD_PRELOAD
 * …, env LD_PRELOAD=… ./app), both lists are preloaded. */
HieraWords hiera_preloading_command(const HieraCommand *command, const char *preload);

/* Whether this word calls the program env. */
bool hiera_preloading_is_env(const char *word);

/* Whether an option of the program env has its value in the next word. */
bool hiera_preloading_is_before_value(const char *option);
