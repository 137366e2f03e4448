/* The records of a buffer become sums in the tree of its thread. With the lock held. */
#ifndef HIERA_FOLD_H
#define HIERA_FOLD_H

#include "tree.h"

/* Is HIERA_MODE=profile? */
bool hiera_profile_is_on(void);

/* Add the records that are not added yet, and note how far in thread->written. A call in progress is added only if it
 * can be none: another record follows it, or `all`. */
void hiera_profile_fold(HieraThread *thread, bool all);

/* Add one record. Its end is noted in *mark. */
void hiera_profile_add(HieraProfile *profile, const HieraRecord *record, char **mark);

/* The number of the name of a region; 0: it has none, and `make` is false or there is no memory. */
uint32_t hiera_profile_label(HieraLabels *labels, const HieraRecord *record, bool make);

/* Of a process that was killed while it added a record, with its memory: that is added once. Its time, bytes and
 * message may be missing. */
void hiera_profile_recover(void);

/* When the last call of all trees has ended, in nanoseconds; 0: none has. */
uint64_t hiera_profile_last_ns(void);

/* These records are written as single operations, but others may become sums later: note what those must know. */
void hiera_profile_follow(const char *begin, const char *end);

/* The thread has spent this time on a full buffer. */
void hiera_profile_add_flush(HieraThread *thread, uint64_t start, uint64_t finish);

/* Add the calls in progress for as long as the trees are written, and take them back: they may go on. */
void hiera_profile_show(HieraThread *threads);
void hiera_profile_hide(void);

/* Calls in a tree; in all; and those for which there was no memory. */
uint64_t hiera_profile_calls(const HieraProfile *profile);
uint64_t hiera_profile_operations(void);
uint64_t hiera_profile_lost(void);

/* The thread ends: its tree is kept, or becomes a part of that of the threads that have ended. */
void hiera_profile_end_thread(HieraThread *thread);

/* Add all of a tree to another one, and free it. False: there is no memory for all of it; `to` counts what is lost. */
void hiera_profile_merge(HieraProfile *to, HieraProfile *from);

#endif
