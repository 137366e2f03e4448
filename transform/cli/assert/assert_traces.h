/* Rules that a program could not check while it ran, because they use values of measures or of an earlier run. */
#pragma once

#include "cli/options/options.h"

/* Check these rules with the traces of the run.
 *
 * @param folder  folder of the traces; NULL if there are none or there are several jobs: then no rule is checked
 * @param table   in: results of the run itself; out: the same, with the rows of these rules from the traces */
gboolean assert_traces_decide(const Options *options, const char *folder, HieraTable **table, GError **error);
