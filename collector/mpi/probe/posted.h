/* Facts about requests and matched probes whose messages are not complete when the call returns. */
#pragma once

#include "item_map.h"

typedef struct HieraPosted {
    HieraItemKey key;
    uint32_t comm;
    int32_t peer, tag; /* rank and tag of the other end; for a receive: as posted, may be wildcards */
    bool receives;
    bool is_persistent; /* whether the request can be started again */
    bool is_active;     /* for a persistent request: whether it is started and not complete */
    bool is_partitioned;
    bool is_wild;
    bool has_no_status; /* whether MPI sets no source, tag and size when the request is complete */
    int64_t bytes;      /* bytes of the message; set for a send */
    uint64_t number;    /* how many-th message on its channel (communicator, ranks, tag) it is, from 1; 0: not known */
} HieraPosted;

typedef enum HieraPostedOf { HIERA_POSTED_REQUEST = 1, HIERA_POSTED_MESSAGE } HieraPostedOf;

HieraPosted *hiera_posted_find(HieraPostedOf of, uint32_t number);
HieraPosted *
hiera_posted_make(HieraPostedOf of,
                  uint32_t number); /* Return a new entry, zeroed but for the key; NULL: there is no memory. */
void hiera_posted_remove(HieraPosted *posted);
