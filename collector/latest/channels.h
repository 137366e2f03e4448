/* How many messages and collective calls there were on each channel: a trace that begins later says so, and a reader
 * goes on counting from there. With the lock held.
 *
 * Bounded: beyond HIERA_CHANNELS_MOST channels, or one for each 1000 bytes of the window, new ones are left out, and
 * the trace says that it has not all. */
#ifndef HIERA_CHANNELS_H
#define HIERA_CHANNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIERA_CHANNELS_MOST = 1 << 16 };

/* What is counted. Only messages have a peer and a tag. */
typedef enum HieraChannelSort {
    HIERA_CHANNEL_SENT = 1,
    HIERA_CHANNEL_RECEIVED,
    HIERA_CHANNEL_SENT_PARTS, /* by partitioned requests, which match each other only */
    HIERA_CHANNEL_RECEIVED_PARTS,
    HIERA_CHANNEL_COLLECTIVE, /* on a communicator */
    HIERA_CHANNEL_INITS,      /* calls on a communicator that make a persistent collective */
    HIERA_CHANNEL_WINDOW,     /* collective calls on a window, ... */
    HIERA_CHANNEL_FILE,       /* ... and on a file */
    HIERA_CHANNEL_STARTS,     /* of a persistent collective */
} HieraChannelSort;

typedef struct HieraChannel {
    uint32_t sort;   /* HieraChannelSort; 0: none */
    uint32_t object; /* number of the communicator, window, file or request */
    int32_t peer, tag;
    uint64_t count;
    bool is_unsure; /* whether a call counts is not known: it has failed, was cancelled, or a filter concerns it */
} HieraChannel;

/* Find or make one. NULL: there is no room; then hiera_channels_are_incomplete. Valid until the next call. */
HieraChannel *hiera_channel_find(HieraChannelSort sort, uint32_t object, int32_t peer, int32_t tag);

/* Some channels are not counted. */
extern bool hiera_channels_are_incomplete;

/* Nothing can come any more on the channel of this window, file or request. */
void hiera_channel_drop(HieraChannelSort sort, uint32_t object);

/* The program has freed a communicator. Its channels are dropped later, unless a kept call still names it
 * (kept_calls.h). */
void hiera_channels_free_comm(uint32_t comm);

/* Drop those now. */
void hiera_channels_tidy(void);

/* Visit all. */
void hiera_channels_visit(void (*visit)(const HieraChannel *channel, void *user), void *user);

#endif
