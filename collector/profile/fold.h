/* The records of a buffer become sums in the tree of its thread. With the lock held. */
#pragma once

#include "tree.h"

/* Whether HIERA_MODE is profile. */
bool hiera_profile_is_on(void);

/* Add the records that are not added yet, and store the position in thread->written. A call in progress is added only
 * if another record follows it, so that it can no longer be in progress, or with `all`. */
void hiera_profile_fold(HieraThread *thread, bool all);

/* Add one record. Its end is stored in *mark. */
void hiera_profile_add(HieraProfile *profile, const HieraRecord *record, char **mark);

/* Return the label of a region's name; 0: it has none, and `make` is false or there is no memory. */
uint32_t hiera_profile_label(HieraLabels *labels, const HieraRecord *record, bool make);

/* For the trees of a process that was killed while it added a record: complete this, so that the record is added once.
 * Its time, bytes and message may be missing. */
void hiera_profile_recover(void);

/* Return the end of the last call in all trees, in ns; 0: none has ended. */
uint64_t hiera_profile_last_ns(void);

/* These records are written as single operations, but later ones may become sums: note the facts that these will need.
 */
void hiera_profile_follow(const char *begin, const char *end);

/* Add the time that the thread has spent on a full buffer. */
void hiera_profile_add_flush(HieraThread *thread, uint64_t start, uint64_t finish);

/* Add the calls in progress while the trees are written, and remove them again: they may still go on. */
void hiera_profile_show(HieraThread *threads);
void hiera_profile_hide(void);

/* Return the number of calls in a tree; in all trees; and the number lost for lack of memory. */
uint64_t hiera_profile_calls(const HieraProfile *profile);
uint64_t hiera_profile_operations(void);
uint64_t hiera_profile_lost(void);

/* The thread ends: keep its tree, or merge it into the tree of ended threads. */
void hiera_profile_end_thread(HieraThread *thread);

/* Merge a tree into another one, and free it. False: there is no memory for all of it; `to` counts the losses. */
void hiera_profile_merge(HieraProfile *to, HieraProfile *from);
