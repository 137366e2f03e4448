/* The line at the end of a job: where the traces are, and what to do next (HIERA_SUMMARY). */
#ifndef HIERA_SUMMARY_H
#define HIERA_SUMMARY_H

/* Remember which file standard error is. When the library is loaded. */
void hiera_summary_load(void);

/* Of the first rank with Hiera, which knows its own trace and asks nobody: the others may still be writing theirs. Once all is written. */
void hiera_summary_say(void);

#endif
