/* Finds words of HIERA_LEVELS that name no level. A level exists once a library or a region uses it, so this is known
 * only at the end of the process. */
#pragma once

/* Note that a level exists, at the level's first use. Any thread may call this. */
void hiera_levels_see(const char *level);

/* On one rank, at its end: print the words of HIERA_LEVELS that name no level, and the levels that exist. */
void hiera_levels_complain(int rank);
