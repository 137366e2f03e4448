/* Requests and matched probes until their message has come, and windows and files: the node that counts them, and their
 * communicator. One table for all threads, since any thread may complete a request. With the lock held.
 *
 * The buffers of threads become sums in any order. So a message may come before the receive that it belongs to: then it
 * waits here (HIERA_AWAITED_EARLY). */
#pragma once

#include "tree.h"

typedef enum HieraAwaitedSort {
    HIERA_AWAITED_REQUEST,
    HIERA_AWAITED_MESSAGE, /* message that a matched probe has found */
    HIERA_AWAITED_WINDOW,  /* window, which stands for its communicator */
    HIERA_AWAITED_FILE,
    HIERA_AWAITED_EARLY, /* message (peer, bytes) or start of a request that is not known yet */
} HieraAwaitedSort;

typedef struct HieraAwaited {
    uint32_t number; /* number of the request, message, window or file; never 0 */
    uint8_t sort;    /* HieraAwaitedSort */
    uint8_t way;     /* HieraPartWay of a receive */
    bool stays;      /* true if the request is persistent */
    bool is_single;  /* true if its call is written as a single operation: messages count for the calls that complete or
                        start the request */
    bool counts;     /* true if it has messages to count */
    bool sends;      /* true if the starts are counted; in an EARLY entry: it is a start */
    uint32_t comm;
    int32_t peer;
    int64_t bytes;
    HieraProfile *profile;
    HieraProfileNode *node; /* node that counts it; NULL: none */
} HieraAwaited;

/* Number of entries HIERA_AWAITED_EARLY. */
extern uint32_t hiera_awaited_early;

/* Add an entry. False: there is no room. */
bool hiera_awaited_put(const HieraAwaited *awaited);

/* Find an entry. NULL: there is none. Valid until the next call of these functions. */
const HieraAwaited *hiera_awaited_find(HieraAwaitedSort sort, uint32_t number);
/* Remove an entry that was found. */
void hiera_awaited_remove(const HieraAwaited *found);
/* Find and remove an entry; copy it to `copy` unless that is NULL. False: there is none. */
bool hiera_awaited_take(HieraAwaitedSort sort, uint32_t number, HieraAwaited *copy);

/* Move the entries of one tree to another one; `node_of` returns their nodes there. */
void hiera_awaited_move(const HieraProfile *from, HieraProfile *to,
                        HieraProfileNode *(*node_of)(const HieraProfileNode *node));

/* A tree will be freed: messages that are still to come for its calls count for the calls that complete them. */
void hiera_awaited_forget(const HieraProfile *profile);

/* Call `name` for all communicators that occur in this table and in all trees. */
void hiera_awaited_name_comms(void (*name)(uint32_t comm));
