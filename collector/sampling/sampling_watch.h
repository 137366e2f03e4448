/* What the helper thread does for sampling. */
#pragma once

/* Start the helper's task: it empties rings that fill up, finds new threads, and those that block the signal of timers.
 */
void hiera_sampling_watch(void);
/* Stop the helper thread's task for sampling. */
void hiera_sampling_watch_end(void);
