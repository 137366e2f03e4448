/* Lists which calls send and receive messages. */
#pragma once

#include "hiera_measure.h"

/* A send or a receive of one message, at the call where a script sees it. */
typedef struct {
    guint32 row;     /* row that sent the message or started its send; of a receive: row that completed it */
    guint32 message; /* index in hiera_match_peek_messages; HIERA_NONE: the transfer has no partner in the traces */
    guint32 posted;  /* if `message` is HIERA_NONE: row with the arguments of the send or receive */
} HieraTransfer;

typedef struct {
    GArray *sent, *received; /* HieraTransfer, sorted by row */
    guint32 *number;         /* by message: number, from 1, among those of equal sender, receiver, communicator, tag */
} HieraTransfers;

/* @param scope  sends and receives without a partner are searched only in this process's ranks */
void hiera_transfers_init(HieraTransfers *transfers, const HieraMatch *match, const HieraScope *scope);
void hiera_transfers_clear(HieraTransfers *transfers);
/* Return the index of the first transfer whose row is `row` or later. O(log n). */
guint hiera_transfers_find(const GArray *transfers, guint32 row);
