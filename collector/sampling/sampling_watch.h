/* The work of the helper thread for sampling. */
#ifndef HIERA_SAMPLING_WATCH_H
#define HIERA_SAMPLING_WATCH_H

/* Start the helper's task: it empties rings that fill up, finds new threads, and those that block the signal of timers.
 */
void hiera_sampling_watch(void);
/* Stop the helper's task. */
void hiera_sampling_watch_end(void);

#endif
