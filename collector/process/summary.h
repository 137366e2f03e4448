/* The line at the end of a job: where the traces are, and what to do next (HIERA_SUMMARY). */
#ifndef HIERA_SUMMARY_H
#define HIERA_SUMMARY_H

/* Remember which file standard error is. When the library is loaded. */
void hiera_summary_load(void);

/* By the first rank with Hiera, once its trace is written: it asks no other rank, which may still be writing. */
void hiera_summary_say(void);

#endif
