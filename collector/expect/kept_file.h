/* Stores executions of rules `on each execution` (assertions/meter/meter.h) in a file without a name: memory does not
 * grow with them, and no file is left however the process ends. All functions are called with the lock held; they are
 * safe in a signal handler. */
#pragma once

#include "assertions/meter/outcome_text.h"

/* Set the folder in which the file for executions is made; until then they stay in memory. `dir` must stay valid. */
void hiera_kept_file_set_folder(const char *dir);

/* For rules of the file HIERA_ASSERT: a meter's callbacks that store executions and that read them back. */
extern const HieraKeeper hiera_kept_file_keeper;
extern const HieraTaken hiera_kept_file_taken;
