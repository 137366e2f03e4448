/* Rules that a run could not decide while it ran, since they ask for values of measures or for a kept run. */
#pragma once

#include "cli/options/options.h"

/* Decide them by the traces that the run has left.
 *
 * @param folder  of the traces; NULL: there are none, or those of several jobs, so nothing is decided
 * @param table   what the run itself found; becomes the same with the rows of these rules from the traces */
gboolean assert_traces_decide(const Options *options, const char *folder, HieraTable **table, GError **error);
