/* Numbers in the order in which they came, for any number of threads, without locks.
 *
 * Rings of cells, each twice as large as the one before: numbers are added to the newest ring and taken from the oldest
 * that has some, so that a queue that has grown forgets its small beginnings. A cell's turn says whose it is: n of the
 * one who adds the n-th number, n + 1 of the one who takes it. */
#ifndef HIERA_NUMBER_QUEUE_H
#define HIERA_NUMBER_QUEUE_H

#include <stdint.h>

enum { HIERA_QUEUE_RINGS = 11, HIERA_QUEUE_FIRST = 64 };

typedef struct HieraNumberQueue {
    struct HieraRing *rings[HIERA_QUEUE_RINGS]; /* the k-th has FIRST << k cells; NULL behind the newest */
} HieraNumberQueue;

/* Add a number (not 0). The oldest ones are dropped if there is no room for more, or no memory. */
void hiera_queue_add(HieraNumberQueue *queue, uint64_t number);

/* Take the oldest number; 0 if there is none. */
uint64_t hiera_queue_take(HieraNumberQueue *queue);

/* The oldest number, which stays; 0 if there is none. */
uint64_t hiera_queue_first(const HieraNumberQueue *queue);

#endif
