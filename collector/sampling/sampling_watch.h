/* What the helper thread does for samples. */
#ifndef HIERA_SAMPLING_WATCH_H
#define HIERA_SAMPLING_WATCH_H

/* From now on it empties rings that fill, and finds new threads and those that block the signal of timers. */
void hiera_sampling_watch(void);
/* No more. */
void hiera_sampling_watch_end(void);

#endif
