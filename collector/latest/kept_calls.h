/* Calls that a trace which begins later needs: those that posted a request that is still open, made a window or file
 * that is still there, or found a message that is still to be received. With the lock held.
 *
 * Bounded: beyond HIERA_KEPT_MOST, or one for each 4000 bytes of the window, nothing is kept any more, and what is
 * counted is not certain. */
#ifndef HIERA_KEPT_CALLS_H
#define HIERA_KEPT_CALLS_H

#include "record/record.h"

enum { HIERA_KEPT_MOST = 1 << 16 };

typedef enum HieraKeptSort {
    HIERA_KEPT_REQUEST,
    HIERA_KEPT_MESSAGE, /* that a matched probe has found */
    HIERA_KEPT_WINDOW,
    HIERA_KEPT_FILE,
    HIERA_KEPT_EARLY, /* no call: a request of this number was completed before the call that posts it was seen, ... */
    HIERA_KEPT_TAKEN, /* ... or a message was received before the probe that found it */
} HieraKeptSort;

/* The number of calls before it on its channel is not known. */
#define HIERA_NO_PLACE UINT64_MAX

typedef struct HieraKeptCall {
    struct HieraKeptCall *next, *previous; /* in the order in which they were seen */
    HieraKeptSort sort;
    uint32_t number;
    unsigned thread;
    HieraRecord *record; /* a copy, without lists that are too long; NULL of EARLY and TAKEN, and of a filtered call */
    uint64_t place;      /* calls before it on its channel */
    /* Of a request: */
    bool receives, sends, is_persistent, is_partitioned, is_cancelled;
    bool is_unsure; /* whether it counts: the call has failed, or a filter concerns it */
    int32_t active; /* starts of a persistent one that are not completed */
    uint32_t comm;
    int32_t peer, tag;           /* of its message, as asked for */
    int32_t told_peer, told_tag; /* EARLY: what its completion told */
    int64_t told_size;
} HieraKeptCall;

/* Keep one; `record` may be NULL. NULL: there is no room, and hiera_kept_is_incomplete. */
HieraKeptCall *hiera_kept_call_add(HieraKeptSort sort, uint32_t number, const HieraRecord *record, size_t bytes);
HieraKeptCall *hiera_kept_call_find(HieraKeptSort sort, uint32_t number);
/* NULL is allowed. */
void hiera_kept_call_remove(HieraKeptCall *kept);

/* The one behind `after` in the list; the first one of NULL. NULL: there is none. */
HieraKeptCall *hiera_kept_next(const HieraKeptCall *after);

/* All records that there are have been seen: EARLY and TAKEN do not wait for any. */
void hiera_kept_settle(void);

/* The thread has ended: what it has posted belongs to the main thread. */
void hiera_kept_end_thread(unsigned thread);

extern bool hiera_kept_is_incomplete;

#endif
