/* Executions of rules `on each execution` (assertions/meter.h), in a file without a name: memory does not grow with
 * them, and nothing is left behind however the process ends. All functions are called with the lock held; they are safe
 * in a signal handler. */
#ifndef HIERA_EXPECT_KEPT_FILE_H
#define HIERA_EXPECT_KEPT_FILE_H

#include "assertions/meter/outcome_text.h"

/* The folder in which the file may be made. Before that, executions stay in memory. The text has to stay. */
void hiera_kept_file_set_folder(const char *dir);

/* For meters of the rules of the file HIERA_ASSERT; and what they have handed over. */
extern const HieraKeeper hiera_kept_file_keeper;
extern const HieraTaken hiera_kept_file_taken;

#endif
