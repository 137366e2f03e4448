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

/* Return the number of a message, from 1; 0: it is not known. `thread`: number of the thread that makes the call. */
uint64_t hiera_order_send(uint32_t comm, int32_t target, int32_t tag, unsigned thread);

/* The same for a receive without wildcards, when it is posted. */
uint64_t hiera_order_receive(uint32_t comm, int32_t source, int32_t tag, unsigned thread);

/* A receive with a wildcard is posted; later it is complete, and its message is known. */
void hiera_order_post_wildcard(uint32_t comm, unsigned thread);
uint64_t hiera_order_end_wildcard(uint32_t comm, int32_t source, int32_t tag);

/* The order of received messages becomes unknown: a receive was cancelled, or matched in another way. */
void hiera_order_lose(uint32_t comm);
