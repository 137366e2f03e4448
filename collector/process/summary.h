/* Prints the line at the end of a job: folder of the traces and next command (HIERA_SUMMARY). */
#ifndef HIERA_SUMMARY_H
#define HIERA_SUMMARY_H

/* Remember the file of standard error. Called when the library is loaded. */
void hiera_summary_load(void);

/* Print the line, on the first rank with Hiera, after its trace is written. Asks no other rank: these may still write.
 */
void hiera_summary_say(void);

#endif
