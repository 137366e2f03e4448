/* What is known of requests and matched probes until their message has come, and of windows and files: which node
 * counts it, and the communicator. One table for all threads, since any thread may complete a request. With the lock
 * held.
 *
 * The buffers of threads become sums in any order. So a message may come before the receive that it belongs to: then it
 * waits here (HIERA_AWAITED_EARLY). */
#ifndef HIERA_AWAITED_H
#define HIERA_AWAITED_H

#include "tree.h"

typedef enum HieraAwaitedSort {
    HIERA_AWAITED_REQUEST,
    HIERA_AWAITED_MESSAGE, /* that a matched probe has found */
    HIERA_AWAITED_WINDOW,  /* an object that stands for its communicator */
    HIERA_AWAITED_FILE,
    HIERA_AWAITED_EARLY, /* a message (peer, bytes), or a start, of a request that is not known yet */
} HieraAwaitedSort;

typedef struct HieraAwaited {
    uint32_t number; /* never 0 */
    uint8_t sort;    /* HieraAwaitedSort */
    uint8_t way;     /* HieraPartWay of a receive */
    bool stays;      /* it is persistent */
    bool is_single;  /* its call is written by itself: messages count for the calls that complete it or start it */
    bool counts;     /* it has messages */
    bool sends;      /* what is counted is its starts; of EARLY: it is a start */
    uint32_t comm;
    int32_t peer;
    int64_t bytes;
    HieraProfile *profile;
    HieraProfileNode *node; /* NULL: nobody counts it */
} HieraAwaited;

/* Is there any HIERA_AWAITED_EARLY? */
extern uint32_t hiera_awaited_early;

/* False: there is no room. */
bool hiera_awaited_put(const HieraAwaited *awaited);

/* NULL: there is none. Valid until the next call of these functions. */
const HieraAwaited *hiera_awaited_find(HieraAwaitedSort sort, uint32_t number);
/* Remove what was found. */
void hiera_awaited_remove(const HieraAwaited *found);
/* Find and remove one; copies it, unless `copy` is NULL. False: there is none. */
bool hiera_awaited_take(HieraAwaitedSort sort, uint32_t number, HieraAwaited *copy);

/* Those of one tree belong to another one now; `node_of` gives the nodes there. */
void hiera_awaited_move(const HieraProfile *from, HieraProfile *to,
                        HieraProfileNode *(*node_of)(const HieraProfileNode *node));

/* A tree is freed: messages that are still to come for its calls count for the calls that complete them. */
void hiera_awaited_forget(const HieraProfile *profile);

/* All communicators that are named here and in all trees. */
void hiera_awaited_name_comms(void (*name)(uint32_t comm));

#endif
