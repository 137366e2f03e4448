/* The sends, receives and completions of each recorded call: the partners of hiera_match.h, by row. */
#pragma once

#include "groups.h"

typedef enum { EXCHANGE_RECEIVES, EXCHANGE_SENDS, EXCHANGE_COMPLETES } ExchangeKind;

/* One send, receive or completion of a call. `request` is that of the message's receive or send; 0: the call is
 * blocking. */
typedef struct {
    guint32 row;
    guint32 kind;    /* ExchangeKind */
    guint32 message; /* index in the match; higher ones are indices into `neighbors`; not for EXCHANGE_COMPLETES */
    guint64 request;
} Exchange;

/* A message between two members of a neighbourhood collective. */
typedef struct {
    guint32 from, to; /* rows of both calls */
    gint64 bytes;
} NeighborMessage;

typedef struct {
    Exchange *all; /* n elements, sorted by row, then kind, then message */
    guint n;
    const RecordedRun *run;
    guint n_messages;  /* number of messages in the match */
    GArray *neighbors; /* NeighborMessage: messages of neighbourhood collectives */
} Exchanges;

/* Find all exchanges between calls of a run (RecordedRun.is_call). O(n log n).
 *
 * @param groups  collectives that are not known there have no request */
void exchanges_init(Exchanges *exchanges, const RecordedRun *run, const Groups *groups);
void exchanges_clear(Exchanges *exchanges);
/* Return the first exchange of a row, NULL if there is none; the others of the row follow it. */
const Exchange *exchanges_find(const Exchanges *exchanges, guint32 row);
/* Return the row of the other side of an exchange; and the bytes of its message. */
guint32 exchanges_partner(const Exchanges *exchanges, const Exchange *exchange);
gint64 exchanges_bytes(const Exchanges *exchanges, const Exchange *exchange);
/* Return the row that started a request. */
guint32 exchanges_start(const Exchanges *exchanges, guint64 request);
/* Return the request of a message that is received (or sent) by a non-blocking call. */
guint64 exchange_receive_request(guint32 message);
guint64 exchange_send_request(guint32 message);
/* Whether a send, receive or collective is non-blocking. */
gboolean exchange_is_started(const HieraTrace *trace, guint32 row);
/* Return the request of a non-blocking collective, from the row that began it. */
guint64 exchange_collective_request(guint32 row);
