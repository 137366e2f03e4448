/* Facts about messages that are not complete when their call returns: of requests, and of matched probes. */
#pragma once

#include "item_map.h"

typedef struct HieraPosted {
    HieraItemKey key;
    uint32_t comm;
    int32_t peer, tag; /* for a receive: as they were posted */
    bool receives;
    bool is_persistent; /* true if it can be started again */
    bool is_active;     /* for a persistent request: true if it was started and is not complete */
    bool is_partitioned;
    bool is_wild;
    bool has_no_status; /* true if MPI does not say what it received */
    int64_t bytes;      /* for a send: bytes of the message */
    uint64_t number;    /* number of the message on its channel; 0: not known */
} HieraPosted;

typedef enum HieraPostedOf { HIERA_POSTED_REQUEST = 1, HIERA_POSTED_MESSAGE } HieraPostedOf;

HieraPosted *hiera_posted_find(HieraPostedOf of, uint32_t number);
HieraPosted *hiera_posted_make(HieraPostedOf of, uint32_t number); /* zeroed; NULL: there is no memory */
void hiera_posted_remove(HieraPosted *posted);
