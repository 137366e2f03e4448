/* The sends, receives and request completions of each recorded call, with their partners. */
#pragma once

#include "groups.h"

typedef enum { EXCHANGE_RECEIVES, EXCHANGE_SENDS, EXCHANGE_COMPLETES } ExchangeKind;

/* One send, receive or completion of a call. `request` is that of the message's receive or send; 0: the call is
 * blocking. */
typedef struct {
    guint32 row;
    guint32 kind;    /* whether the call sends, receives or completes: an ExchangeKind */
    guint32 message; /* index of the message in the match, then (from n_messages on) in `neighbors`; unused in
                        EXCHANGE_COMPLETES */
    guint64 request;
} Exchange;

/* A message between two members of a neighbourhood collective. */
typedef struct {
    guint32 from, to; /* rows of the calls that send and receive the message */
    gint64 bytes;
} NeighborMessage;

typedef struct {
    Exchange *all; /* n exchanges of all calls, sorted by row, then kind, then message */
    guint n;
    const RecordedRun *run;
    guint n_messages;  /* number of messages in the match, without those of neighbourhood collectives */
    GArray *neighbors; /* NeighborMessage: messages of neighbourhood collectives */
} Exchanges;

/* Find all exchanges between calls of a run (RecordedRun.is_call). O(n log n).
 *
 * @param groups  collectives that are not known there have no request */
void exchanges_init(Exchanges *exchanges, const RecordedRun *run, const Groups *groups);
void exchanges_clear(Exchanges *exchanges);
/* Return the first exchange of a call; NULL: the call has none. Further exchanges of the call follow in `all`. */
const Exchange *exchanges_find(const Exchanges *exchanges, guint32 row);
/* Return the row of the call at the other end of an exchange's message; the next function: the bytes of the message. */
guint32 exchanges_partner(const Exchanges *exchanges, const Exchange *exchange);
gint64 exchanges_bytes(const Exchanges *exchanges, const Exchange *exchange);
/* Return the row of the call that started a request. */
guint32 exchanges_start(const Exchanges *exchanges, guint64 request);
/* Return the simulator's number of the request of a non-blocking receive (or send) of a message. */
guint64 exchange_receive_request(guint32 message);
guint64 exchange_send_request(guint32 message);
/* Whether a call starts a send, receive or collective without blocking. */
gboolean exchange_is_started(const HieraTrace *trace, guint32 row);
/* Return the simulator's number of the request of a non-blocking collective. @param row  a member's call that starts it
 */
guint64 exchange_collective_request(guint32 row);
