/* Numbers of messages on their channels: together with communicator, ranks and tag a number identifies a message on
 * both sides. A channel is a communicator, a source, a target and a tag.
 *
 * MPI keeps the order of a channel, so both sides count: sends when they begin, receives when they are posted. The
 * message of a wildcard receive is known when that is complete. If another receive is posted before that, or if several
 * threads send on a communicator, or receive, the order is not known: from then on messages of this communicator have
 * no number on this rank. One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Return the number of a sent message, from 1; 0: not known. `thread`: number of the thread that makes the call. */
uint64_t hiera_order_send(uint32_t comm, int32_t target, int32_t tag, unsigned thread);

/* Return the number of the message of a receive without wildcards, when the receive is posted; 0: not known. */
uint64_t hiera_order_receive(uint32_t comm, int32_t source, int32_t tag, unsigned thread);

/* Note that a wildcard receive is posted; when it is complete, return the number of its message, 0: not known. */
void hiera_order_post_wildcard(uint32_t comm, unsigned thread);
uint64_t hiera_order_end_wildcard(uint32_t comm, int32_t source, int32_t tag);

/* No longer number received messages on `comm`: a receive was cancelled, or matched in another way than by order. */
void hiera_order_lose(uint32_t comm);
