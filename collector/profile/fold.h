/* The records of a buffer become sums in the tree of its thread. With the lock held. */
#ifndef HIERA_FOLD_H
#define HIERA_FOLD_H

#include "tree.h"

/* Is HIERA_MODE=profile? */
bool hiera_profile_is_on(void);

/* Add the records that are not added yet, and note how far in thread->written. A call in progress is added only if it
 * can be none: another record follows it, or `all`. */
void hiera_profile_fold(HieraThread *thread, bool all);

/* The thread has spent this time on a full buffer. */
void hiera_profile_add_flush(HieraThread *thread, uint64_t start, uint64_t finish);

/* The call in progress behind the records that were added; NULL: none. */
const HieraRecord *hiera_profile_in_progress(const HieraThread *thread);

/* Add it for as long as the tree is written: it may go on. Returns its node; NULL: there is no memory. */
HieraProfileNode *hiera_profile_show(HieraProfile *profile, const HieraRecord *record);
void hiera_profile_hide(HieraProfileNode *node);

/* Calls in all trees; and those for which there was no memory. */
uint64_t hiera_profile_operations(void);
uint64_t hiera_profile_lost(void);

/* The thread ends: its tree is kept, or becomes a part of that of the threads that have ended. */
void hiera_profile_end_thread(HieraThread *thread);

/* Add all of a tree to another one, and free it. False: there is no memory for all of it; `to` counts what is lost. */
void hiera_profile_merge(HieraProfile *to, HieraProfile *from);

#endif
