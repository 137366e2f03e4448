/* Counts the messages and collective calls on each channel. A trace that begins later states these counts, and a reader
 * continues them. With the lock held.
 *
 * Bounded: beyond HIERA_CHANNELS_MOST channels, or one for each 1000 bytes of the window, new channels are left out,
 * and the trace says that it is incomplete. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIERA_CHANNELS_MOST = 1 << 16 };

/* What a channel counts. Only channels of messages (SENT, RECEIVED) have a peer and a tag. */
typedef enum HieraChannelSort {
    HIERA_CHANNEL_SENT = 1,
    HIERA_CHANNEL_RECEIVED,
    HIERA_CHANNEL_SENT_PARTS, /* messages sent by partitioned requests, which match only partitioned receives */
    HIERA_CHANNEL_RECEIVED_PARTS,
    HIERA_CHANNEL_COLLECTIVE, /* collective calls on the communicator */
    HIERA_CHANNEL_INITS,      /* calls that make a persistent collective on the communicator */
    HIERA_CHANNEL_WINDOW,     /* collective calls on the RMA window */
    HIERA_CHANNEL_FILE,       /* collective calls on the file */
    HIERA_CHANNEL_STARTS,     /* starts of a persistent collective (the request) */
} HieraChannelSort;

typedef struct HieraChannel {
    uint32_t sort;   /* HieraChannelSort; 0: empty entry */
    uint32_t object; /* Hiera's number of the communicator, window, file or request */
    int32_t peer, tag;
    uint64_t count;
    bool is_unsure; /* true if it is unknown whether some call counts: it failed, was cancelled, or a filter concerns it
                     */
} HieraChannel;

/* Find or make a channel. The pointer is valid until the next call. NULL if there is no room; then
 * hiera_channels_are_incomplete is set. */
HieraChannel *hiera_channel_find(HieraChannelSort sort, uint32_t object, int32_t peer, int32_t tag);

/* Whether some channel is not counted: there are too many, or there was no memory. */
extern bool hiera_channels_are_incomplete;

/* Remove the channel of a window, file or request, on which no further calls are possible. */
void hiera_channel_drop(HieraChannelSort sort, uint32_t object);

/* The program has freed a communicator. Its channels are dropped later, unless a kept call still names it
 * (kept_calls.h). */
void hiera_channels_free_comm(uint32_t comm);

/* Remove the channels of freed communicators that no kept call (kept_calls.h) names. */
void hiera_channels_tidy(void);

/* Call `visit` for each channel. */
void hiera_channels_visit(void (*visit)(const HieraChannel *channel, void *user), void *user);
