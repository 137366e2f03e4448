/* The work of the helper thread for sampling. */
#pragma once

/* Start the helper's task: it empties rings that fill up, finds new threads, and those that block the signal of timers.
 */
void hiera_sampling_watch(void);
/* Stop the helper's task. */
void hiera_sampling_watch_end(void);
