/* How far the answer about an executable can be trusted: what was not known on the way, and whether calls of MPI depend
 * on it. */
#pragma once

#include "executable_sums.h"
#include "hiera_measure.h"

/* Make the table `trust`: places by their weight, a row "exact" first if no decision between calls of MPI was drawn.
 *
 * @param all         FALSE: only the first rows
 * @param incomplete  receives whether calls of MPI may be missing, since a function was called that nobody knows */
HieraTable *executable_table_trust(const ExecutableSums *sums, gboolean all, gboolean *incomplete);
