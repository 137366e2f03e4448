/* A FIFO queue of numbers for any number of threads, without locks.
 *
 * It has rings of cells, each twice as large as the previous one. Numbers are added to the newest ring, and taken from
 * the oldest ring that is not empty. So the small rings are no longer used after the queue has grown. */
#pragma once

#include <stdint.h>

enum { HIERA_QUEUE_RINGS = 11, HIERA_QUEUE_FIRST_BITS = 6, HIERA_QUEUE_NUMBER_BITS = 36 };

typedef struct HieraNumberQueue {
    struct HieraRing *rings[HIERA_QUEUE_RINGS]; /* rings[k] has 64 << k cells; NULL behind the newest ring */
} HieraNumberQueue;

/* Add a number: not 0, at most HIERA_QUEUE_NUMBER_BITS wide. If there is no room and no memory, an old number is
 * dropped. */
void hiera_queue_add(HieraNumberQueue *queue, uint64_t number);

/* Take the oldest number out of the queue; 0: the queue is empty. */
uint64_t hiera_queue_take(HieraNumberQueue *queue);

/* In the process that completes another one's trace: forget rings whose memory was not taken from that one. */
void hiera_queue_recover(HieraNumberQueue *queue);

/* Return the oldest number without taking it out of the queue; 0: the queue is empty. */
uint64_t hiera_queue_first(const HieraNumberQueue *queue);
