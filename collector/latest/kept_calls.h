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
    HIERA_KEPT_MESSAGE, /* a message that MPI_Mprobe etc. has found and no call has received yet */
    HIERA_KEPT_WINDOW,
    HIERA_KEPT_FILE,
    HIERA_KEPT_EARLY, /* no call: the request was completed before the record of the posting call was seen */
    HIERA_KEPT_TAKEN, /* no call: the message was received before the record of its matched probe was seen */
} HieraKeptSort;

/* HieraKeptCall.place if the number of earlier calls on the channel is unknown. */
#define HIERA_NO_PLACE UINT64_MAX

typedef struct HieraKeptCall {
    struct HieraKeptCall *next, *previous; /* list of all kept calls, in the order in which their records were seen */
    HieraKeptSort sort;
    uint32_t number;
    unsigned thread;
    HieraRecord *record; /* copy of the record, without lists that are too long; NULL for EARLY and TAKEN, and for a
                            filtered call */
    uint64_t place;      /* number of earlier calls on the call's channel (channels.h) */
    /* The fields from here on are only for HIERA_KEPT_REQUEST. */
    bool receives, sends, is_persistent, is_partitioned, is_cancelled;
    bool is_unsure; /* it is unknown whether the channel counts the call: it failed, or a filter concerns it */
    int32_t active; /* number of starts of a persistent request that are not completed yet */
    uint32_t comm;
    int32_t peer, tag;                   /* peer and tag of the request's message, as given to the call */
    int32_t returned_peer, returned_tag; /* EARLY: peer, tag and size that the completion returned */
    int64_t returned_size;
} HieraKeptCall;

/* Keep a call, with a copy of its record (may be NULL). NULL: too many, or no memory; sets hiera_kept_is_incomplete. */
HieraKeptCall *hiera_kept_call_add(HieraKeptSort sort, uint32_t number, const HieraRecord *record, size_t bytes);
HieraKeptCall *hiera_kept_call_find(HieraKeptSort sort, uint32_t number);
/* Forget a kept call, and free its copy; NULL is allowed. */
void hiera_kept_call_remove(HieraKeptCall *kept);

/* The kept call that follows `after` in the list (NULL: the first one); NULL at the end. */
HieraKeptCall *hiera_kept_next(const HieraKeptCall *after);

/* When all records have been seen: remove EARLY and TAKEN entries, since their calls will not come any more. */
void hiera_kept_settle(void);

/* When a thread ends: assign its kept calls to the main thread. */
void hiera_kept_end_thread(unsigned thread);

extern bool hiera_kept_is_incomplete;
