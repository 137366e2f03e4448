/* Words of HIERA_LEVELS that name no level. Levels come with the libraries and regions that use them, so that only at
 * the end it is known which there were. */
#ifndef HIERA_LEVELS_SEEN_H
#define HIERA_LEVELS_SEEN_H

/* A name of this level was met for the first time; any thread. */
void hiera_levels_see(const char *level);

/* At the end, once in the job, by rank `rank`: name the words for which nothing was there, and the levels that were. */
void hiera_levels_complain(int rank);

#endif
