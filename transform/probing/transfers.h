/* Sends and receives of messages, by the calls in which they happen. */
#ifndef HIERA_TRANSFERS_H
#define HIERA_TRANSFERS_H

#include "hiera_measure.h"

/* A message is sent, or received, in a call. */
typedef struct {
    guint32 row;     /* the call: what sent it or started to; what completed its receive */
    guint32 message; /* index in hiera_match_peek_messages; HIERA_NONE: its other side is not in the traces */
    guint32 posted;  /* the row that has its arguments, if `message` is HIERA_NONE */
} HieraTransfer;

typedef struct {
    GArray *sent, *received; /* HieraTransfer, by row */
    guint32 *number;         /* by message: which one it is, from 1, of its sender, receiver, communicator and tag */
} HieraTransfers;

/* @param scope  what has no partner is found of the processors of this process alone */
void hiera_transfers_init(HieraTransfers *transfers, const HieraMatch *match, const HieraScope *scope);
void hiera_transfers_clear(HieraTransfers *transfers);
/* Index of the first transfer of a row, or of one behind it. O(log n). */
guint hiera_transfers_find(const GArray *transfers, guint32 row);

#endif
