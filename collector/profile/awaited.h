/* Requests and matched probes until their message has come, and windows and files: the node that counts them, and their
 * communicator. One table for all threads, since any thread may complete a request. With the lock held.
 *
 * The buffers of threads become sums in any order. So a message may come before the receive that it belongs to: then it
 * waits here (HIERA_AWAITED_EARLY). */
#pragma once

#include "tree.h"

typedef enum HieraAwaitedSort {
    HIERA_AWAITED_REQUEST,
    HIERA_AWAITED_MESSAGE, /* message found by MPI_Mprobe */
    HIERA_AWAITED_WINDOW,  /* window: tells the communicator of later calls on it */
    HIERA_AWAITED_FILE,
    HIERA_AWAITED_EARLY, /* message (peer, bytes) or start of a request whose posting call is not added yet */
} HieraAwaitedSort;

typedef struct HieraAwaited {
    uint32_t number; /* number of the request, message, window or file; never 0 */
    uint8_t sort;    /* a HieraAwaitedSort */
    uint8_t way;     /* a HieraPartWay: direction of the messages in the part of the node that counts those received */
    bool stays;      /* whether the entry stays after a completion: a persistent request, a window, a file, … */
    bool is_single;  /* whether the call that posted the request is written as a single operation: then messages count
                        for the calls that complete or start the request */
    bool counts;     /* whether messages of the request are to be counted */
    bool sends;      /* whether starts are counted, as for a persistent send; in an EARLY entry: it is a start */
    uint32_t comm;
    int32_t peer;
    int64_t bytes;
    HieraProfile *profile;
    HieraProfileNode *node; /* node of the call that posted the request, which counts its messages; NULL: none */
} HieraAwaited;

/* Number of entries of sort HIERA_AWAITED_EARLY in the table. */
extern uint32_t hiera_awaited_early;

/* Add an awaited request, message, window or file to the table. False: there is no room. */
bool hiera_awaited_put(const HieraAwaited *awaited);

/* Find what was added to the table. NULL: nothing. The result is valid until the next call of such a function. */
const HieraAwaited *hiera_awaited_find(HieraAwaitedSort sort, uint32_t number);
/* Remove an entry that hiera_awaited_find() has returned. */
void hiera_awaited_remove(const HieraAwaited *found);
/* Find, copy (unless `copy` is NULL) and remove an entry. False: there is none. */
bool hiera_awaited_take(HieraAwaitedSort sort, uint32_t number, HieraAwaited *copy);

/* Let requests awaited by the tree `from` count in the tree `to`; `node_of` returns the node there of one in `from`. */
void hiera_awaited_move(const HieraProfile *from, HieraProfile *to,
                        HieraProfileNode *(*node_of)(const HieraProfileNode *node));

/* Before a tree is freed: messages that its requests still await will count for the calls that complete them. */
void hiera_awaited_forget(const HieraProfile *profile);

/* Call `name` with the number of each communicator that occurs in this table or in any tree. */
void hiera_awaited_name_comms(void (*name)(uint32_t comm));
