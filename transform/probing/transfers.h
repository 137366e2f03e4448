/* Sends and receives of messages, by call. */
#pragma once

#include "hiera_measure.h"

/* The send or receive of a message in a call. */
typedef struct {
    guint32 row;     /* the call that sent the message or started the send; or that completed the receive */
    guint32 message; /* index in hiera_match_peek_messages; HIERA_NONE: the other side is not in the traces */
    guint32 posted;  /* row with its arguments, if `message` is HIERA_NONE */
} HieraTransfer;

typedef struct {
    GArray *sent, *received; /* HieraTransfer, by row */
    guint32 *number;         /* by message: its number, from 1, for the same sender, receiver, communicator and tag */
} HieraTransfers;

/* @param scope  unmatched sends and receives are found only for this process's ranks */
void hiera_transfers_init(HieraTransfers *transfers, const HieraMatch *match, const HieraScope *scope);
void hiera_transfers_clear(HieraTransfers *transfers);
/* Return the index of the first transfer of a row, or of a later row. O(log n). */
guint hiera_transfers_find(const GArray *transfers, guint32 row);
