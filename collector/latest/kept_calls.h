/* Earlier calls that a trace which begins later must contain: calls that posted a request that is still open, made a
 * window or file that still exists, or found a message that is not yet received. With the lock held.
 *
 * Bounded: beyond HIERA_KEPT_MOST calls, or one for each 4000 bytes of the window, no further calls are kept, and the
 * counts are not certain. */
#pragma once

#include "record/record.h"

enum { HIERA_KEPT_MOST = 1 << 16 };

typedef enum HieraKeptSort {
    HIERA_KEPT_REQUEST,
    HIERA_KEPT_MESSAGE, /* a message that a matched probe has found */
    HIERA_KEPT_WINDOW,
    HIERA_KEPT_FILE,
    HIERA_KEPT_EARLY, /* no call: the request of this number was completed before the call that posts it was seen ... */
    HIERA_KEPT_TAKEN, /* ... or a message was received before the probe that found it */
} HieraKeptSort;

/* The number of earlier calls on the channel is unknown. */
#define HIERA_NO_PLACE UINT64_MAX

typedef struct HieraKeptCall {
    struct HieraKeptCall *next, *previous; /* list in the order in which the calls were seen */
    HieraKeptSort sort;
    uint32_t number;
    unsigned thread;
    HieraRecord *record; /* copy of the record, without lists that are too long; NULL for EARLY and TAKEN, and for a
                            filtered call */
    uint64_t place;      /* number of earlier calls on its channel */
    /* Fields of a request: */
    bool receives, sends, is_persistent, is_partitioned, is_cancelled;
    bool is_unsure; /* true if it is unknown whether the call counts: it failed, or a filter concerns it */
    int32_t active; /* number of starts of a persistent request that are not completed */
    uint32_t comm;
    int32_t peer, tag;           /* peer and tag of its message, as given to the call */
    int32_t told_peer, told_tag; /* EARLY: values that the completion returned */
    int64_t told_size;
} HieraKeptCall;

/* Keep a call; `record` may be NULL. Returns NULL if there is no room; then hiera_kept_is_incomplete is set. */
HieraKeptCall *hiera_kept_call_add(HieraKeptSort sort, uint32_t number, const HieraRecord *record, size_t bytes);
HieraKeptCall *hiera_kept_call_find(HieraKeptSort sort, uint32_t number);
/* NULL is allowed. */
void hiera_kept_call_remove(HieraKeptCall *kept);

/* The call after `after` in the list; NULL as `after` gives the first one. NULL at the end. */
HieraKeptCall *hiera_kept_next(const HieraKeptCall *after);

/* All existing records have been seen: remove EARLY and TAKEN entries, whose calls will not come. */
void hiera_kept_settle(void);

/* The thread has ended: its kept calls are assigned to the main thread. */
void hiera_kept_end_thread(unsigned thread);

extern bool hiera_kept_is_incomplete;
