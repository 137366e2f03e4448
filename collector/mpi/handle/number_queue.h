/* Numbers in the order in which they came, for any number of threads, without locks.
 *
 * Rings of cells, each twice as large as the one before: numbers are added to the newest ring and taken from the oldest
 * that has some, so that a queue that has grown forgets its small beginnings. */
#ifndef HIERA_NUMBER_QUEUE_H
#define HIERA_NUMBER_QUEUE_H

#include <stdint.h>

enum { HIERA_QUEUE_RINGS = 11, HIERA_QUEUE_FIRST_BITS = 6, HIERA_QUEUE_NUMBER_BITS = 36 };

typedef struct HieraNumberQueue {
    struct HieraRing *rings[HIERA_QUEUE_RINGS]; /* the k-th has 64 << k cells; NULL behind the newest */
} HieraNumberQueue;

/* Add a number (not 0, of NUMBER_BITS). The oldest ones are dropped if there is no room for more, or no memory. */
void hiera_queue_add(HieraNumberQueue *queue, uint64_t number);

/* Take the oldest number; 0 if there is none. */
uint64_t hiera_queue_take(HieraNumberQueue *queue);

/* The oldest number, which stays; 0 if there is none. */
uint64_t hiera_queue_first(const HieraNumberQueue *queue);

#endif
