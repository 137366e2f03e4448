/* Adds the records of a buffer to the call tree of its thread. With the collector's lock held. */
#pragma once

#include "tree.h"

/* Whether HIERA_MODE=profile is set, so that all calls become sums. */
bool hiera_profile_is_on(void);

/* Add the records that are not added yet, and store the position in thread->written. A call in progress is added only
 * if another record follows it, so that it can no longer be in progress, or with `all`. */
void hiera_profile_fold(HieraThread *thread, bool all);

/* Add one record to the tree, and store the address of its end in *mark. */
void hiera_profile_add(HieraProfile *profile, const HieraRecord *record, char **mark);

/* Return the number of a region's name in the tree; 0: it has none, and `make` is false or there is no memory. */
uint32_t hiera_profile_label(HieraLabels *labels, const HieraRecord *record, bool make);

/* For the trees of a process that was killed while it added a record: complete this, so that the record is added once.
 * Its time, bytes and message may be missing. */
void hiera_profile_recover(void);

/* Return the time at which the last call in any tree ended, in ns; 0: none has ended. */
uint64_t hiera_profile_last_ns(void);

/* Store the requests, windows and files of single operations, which later calls, perhaps sums, refer to. */
void hiera_profile_follow(const char *begin, const char *end);

/* Add to the thread's tree the time, from start to finish in ticks, that it took to empty the full buffer. */
void hiera_profile_add_flush(HieraThread *thread, uint64_t start, uint64_t finish);

/* Add MPI calls in progress to the trees, to write them; and remove these calls again, since they still go on. */
void hiera_profile_show(HieraThread *threads);
void hiera_profile_hide(void);

/* Return the number of calls in one tree; in all trees; and how many were lost for lack of memory. */
uint64_t hiera_profile_calls(const HieraProfile *profile);
uint64_t hiera_profile_operations(void);
uint64_t hiera_profile_lost(void);

/* Handle the tree of a thread that ends: keep it, or merge it into the one tree of ended threads. */
void hiera_profile_end_thread(HieraThread *thread);

/* Merge one tree into another, and free it. What there is no memory for is counted as lost in `to`. */
void hiera_profile_merge(HieraProfile *to, HieraProfile *from);
