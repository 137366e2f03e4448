/* Handles of all classes, known by numbers. */
#ifndef HIERA_HANDLES_H
#define HIERA_HANDLES_H

#include "mpi/call/handle_classes.h"
#include "record/record.h"

/* The number of a handle, 0 if it is not known. Never asks MPI: an argument need not be valid where MPI ignores it. */
uint32_t hiera_handle_find(HieraHandleClass kind, uint64_t key);

/* The number of an object that a call made. If its handle is known, the old object was released where we did not see
 * it; predefined ones stay. */
uint32_t hiera_handle_new(HieraHandleClass kind, uint64_t key);

/* The number of an object that a call gave out though it may have made it earlier: a new one if it is not known. It is
 * to be released as often as it is given out. */
uint32_t hiera_handle_reference(HieraHandleClass kind, uint64_t key);

/* A handle is released: forget it before the call that does so, since it may be given out again at once. Returns its
 * number if it is the last time, else 0. */
uint32_t hiera_handle_forget(HieraHandleClass kind, uint64_t key);

/* It was the last time, and the call has succeeded: what is known of the number (0: none) is given back once nothing
 * names it (released.c). */
void hiera_handle_released(HieraHandleClass kind, uint32_t number);

/* The same of a text that was known of one. NULL is allowed. */
void hiera_text_released(char *text);

/* The released handle came back unharmed because the call failed. */
void hiera_handle_restore(HieraHandleClass kind, uint64_t key, uint32_t number);

/* Name of a handle's number: predefined, or prefix and count; *own is 0 for a predefined one. */
const char *hiera_handle_name(HieraHandleClass kind, uint32_t number, uint32_t *own);

extern uint32_t hiera_handle_epoch;

/* Communicators and datatypes are looked up with nearly every call: remember the last one. */
static inline uint32_t hiera_handle_recall(HieraThread *thread, int memo, HieraHandleClass kind, uint64_t key)
{
    uint32_t epoch = __atomic_load_n(&hiera_handle_epoch, __ATOMIC_RELAXED);
    if (HIERA_LIKELY(thread->memo_handle[memo] == key && thread->memo_epoch == epoch))
        return thread->memo_id[memo];
    if (thread->memo_epoch != epoch) {
        thread->memo_handle[0] = thread->memo_handle[1] = 0;
        thread->memo_epoch = epoch;
    }
    thread->memo_id[memo] = hiera_handle_find(kind, key);
    thread->memo_handle[memo] = key;
    return thread->memo_id[memo];
}

#endif
