/* What each recorded call sends, receives and completes: the partners of hiera_match.h, by row. */
#ifndef HIERA_PREDICT_EXCHANGES_H
#define HIERA_PREDICT_EXCHANGES_H

#include "groups.h"

typedef enum { EXCHANGE_RECEIVES, EXCHANGE_SENDS, EXCHANGE_COMPLETES } ExchangeKind;

/* A part of what a call does. Of a message `request` is that of its receive or send; 0: the call is blocking. */
typedef struct {
    guint32 row;
    guint32 kind;    /* ExchangeKind */
    guint32 message; /* index in the match, and behind those of the match in `neighbors`; not of EXCHANGE_COMPLETES */
    guint64 request;
} Exchange;

/* A message between two members of a collective of neighbours. */
typedef struct {
    guint32 from, to; /* rows */
    gint64 bytes;
} NeighborMessage;

typedef struct {
    Exchange *all; /* n of them, by row, then by kind, then in the order of the messages */
    guint n;
    const RecordedRun *run;
    guint n_messages;  /* of the match */
    GArray *neighbors; /* NeighborMessage */
} Exchanges;

/* Find all exchanges of a run: those between its calls (RecordedRun.is_call). O(n log n).
 *
 * @param groups  collectives that they do not know have no request */
void exchanges_init(Exchanges *exchanges, const RecordedRun *run, const Groups *groups);
void exchanges_clear(Exchanges *exchanges);
/* Return the first exchange of a row, NULL if it has none; others of the row are behind it. */
const Exchange *exchanges_find(const Exchanges *exchanges, guint32 row);
/* Return the row from which an exchange receives, or to which it sends; and the bytes of its message. */
guint32 exchanges_partner(const Exchanges *exchanges, const Exchange *exchange);
gint64 exchanges_bytes(const Exchanges *exchanges, const Exchange *exchange);
/* Return the row that started a request. */
guint32 exchanges_start(const Exchanges *exchanges, guint64 request);
/* Return the request of a message that is received (or sent) without blocking. */
guint64 exchange_receive_request(guint32 message);
guint64 exchange_send_request(guint32 message);
/* Whether a call that sends, receives or is collective returns before that is done. */
gboolean exchange_is_started(const HieraTrace *trace, guint32 row);
/* Return the request of a non-blocking collective, of the row that began it. */
guint64 exchange_collective_request(guint32 row);

#endif
