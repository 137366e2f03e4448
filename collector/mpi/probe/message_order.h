/* The how many-th message of its channel a message is: with communicator, ranks and tag this names it on both sides. A
 * channel is a communicator, a source, a target and a tag.
 *
 * MPI keeps the order of a channel, so both sides count: sends when they begin, receives when they are posted. What a
 * wildcard matches is known when it is complete. If another receive is posted before that, or if several threads send
 * on a communicator, or receive, the order is not known: from then on messages of this communicator have no number on
 * this rank. One thread at a time. */
#ifndef HIERA_MESSAGE_ORDER_H
#define HIERA_MESSAGE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* The number of a message, from 1; 0: it is not known. `thread`: number of the thread that makes the call. */
uint64_t hiera_order_send(uint32_t comm, int32_t target, int32_t tag, unsigned thread);

/* A receive of a certain message is posted. */
uint64_t hiera_order_receive(uint32_t comm, int32_t source, int32_t tag, unsigned thread);

/* A receive with a wildcard is posted; later it is complete, and its message is known. */
void hiera_order_post_wildcard(uint32_t comm, unsigned thread);
uint64_t hiera_order_end_wildcard(uint32_t comm, int32_t source, int32_t tag);

/* The order of what is received is not known any more: a receive was cancelled, or matched in another way. */
void hiera_order_lose(uint32_t comm);

#endif
