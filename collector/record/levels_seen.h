/* Finds words of HIERA_LEVELS that name no level. A level exists once a library or a region uses it, so this is known
 * only at the end of the process. */
#pragma once

/* Note a level at its first use. Any thread. */
void hiera_levels_see(const char *level);

/* At the end, on one rank of the job: print the words without a level, and the levels that exist. */
void hiera_levels_complain(int rank);
