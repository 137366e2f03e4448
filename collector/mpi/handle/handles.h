/* Small numbers that replace the handles of all classes in records. */
#pragma once

#include "base/xml_text.h"
#include "mpi/call/handle_classes.h"
#include "record/record.h"

/* Return the number of a handle; 0 if it is not known. This never asks MPI: where MPI ignores an argument, the handle
 * may be invalid. */
uint32_t hiera_handle_find(HieraHandleClass kind, uint64_t key);

/* Bit of a number in a record: the program had freed the object before it passed the handle. */
#define HIERA_HANDLE_FREED (UINT32_C(1) << 31)

/* As hiera_handle_find(); of a communicator, datatype, operator or window that was freed the number that it had, with
 * HIERA_HANDLE_FREED. Facts of such a number are not known. */
uint32_t hiera_handle_find_freed(HieraHandleClass kind, uint64_t key);

/* Return a new number for an object that a call made. If its handle is known, the old object was freed by a call that
 * Hiera did not see. A predefined handle keeps its number. */
uint32_t hiera_handle_new(HieraHandleClass kind, uint64_t key);

/* Return the number of an object that a call returned but may not have made (a reference). An unknown handle gets a
 * new number. The program must free the handle as often as it was returned. */
uint32_t hiera_handle_reference(HieraHandleClass kind, uint64_t key);

/* Remove a handle that the program frees. Call this before the MPI call, since MPI may return the same handle again at
 * once. Returns the number if this was the last reference, else 0. */
uint32_t hiera_handle_forget(HieraHandleClass kind, uint64_t key);

/* Free the facts of a number (0: none) as soon as no record refers to it (released.c). Call this when the call that
 * freed the last reference has succeeded. */
void hiera_handle_released(HieraHandleClass kind, uint32_t number);

/* Free `text` (may be NULL), a fact that was replaced by another text, as soon as no record may need it. */
void hiera_text_released(char *text);

/* Undo hiera_handle_forget(), because the call that should free the handle has failed. */
void hiera_handle_restore(HieraHandleClass kind, uint64_t key, uint32_t number);

/* Return the name of a number. A predefined handle has its own name, and *own becomes 0. For other handles this is the
 * prefix of the class, and *own becomes the count that follows it. */
const char *hiera_handle_name(HieraHandleClass kind, uint32_t number, uint32_t *own);

/* Begin the name of an object that the program made: "P0_". Names are unique in a job because they begin with a rank:
 * the rank that made the object, or the first member of a communicator. */
void hiera_handle_put_owner(HieraText *text, int rank);

/* Count of changes to the numbers of handles; a cached number is valid while this count is the same. */
extern uint32_t hiera_handle_epoch HIERA_INTERNAL;

/* Like hiera_handle_find_freed(), and store the result in cache entry `memo` of the thread, for hiera_handle_recall().
 */
uint32_t hiera_handle_find_again(HieraThread *thread, int memo, HieraHandleClass kind, uint64_t key);

/* Like hiera_handle_find_freed(), with a cache of one entry per `memo`, because nearly every call looks up a
 * communicator and a datatype. */
static inline HIERA_ALWAYS uint32_t hiera_handle_recall(HieraThread *thread, int memo, HieraHandleClass kind,
                                                        uint64_t key)
{
    uint32_t epoch = __atomic_load_n(&hiera_handle_epoch, __ATOMIC_RELAXED);
    if (HIERA_LIKELY(thread->memo_handle[memo] == key && thread->memo_epoch == epoch))
        return thread->memo_id[memo];
    return hiera_handle_find_again(thread, memo, kind, key);
}
