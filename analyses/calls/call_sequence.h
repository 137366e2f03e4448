/** The calls of one rank in their order, in little memory: what follows a call is mostly what followed it the last
 * time, so that only the other ones are kept.
 *
 * A call is a number from 1, the node of a call tree. */
#pragma once

#include "hiera_pack.h"

typedef struct HieraCallSequence HieraCallSequence;

/** Return an empty sequence, to be freed with hiera_call_sequence_free.
 *
 * @param bytes_max  beyond this nothing more is kept: the sequence is cut */
HieraCallSequence *hiera_call_sequence_new(gsize bytes_max);
void hiera_call_sequence_free(HieraCallSequence *sequence);

void hiera_call_sequence_append(HieraCallSequence *sequence, guint32 call);

/** Say that there are no further calls, so that nothing is kept for them. */
void hiera_call_sequence_finish(HieraCallSequence *sequence);

/** A finished sequence as bytes for another process, and there. */
void hiera_call_sequence_pack(const HieraCallSequence *sequence, HieraPacker *to);
HieraCallSequence *hiera_call_sequence_unpack(HieraUnpacker *from);

/** Whether further calls were not kept. */
gboolean hiera_call_sequence_is_cut(const HieraCallSequence *sequence);

/** Where somebody is that goes through a sequence. */
typedef struct {
    const HieraCallSequence *sequence;
    GArray *next;     /* as in the sequence */
    guint32 last;     /* the last call, 0 before the first one */
    guint64 expected; /* that many calls come that followed the one before them the last time, too */
    guint at;         /* byte of the sequence behind them */
} HieraCallWalk;

/** Begin at the first call of a finished sequence; to be cleared with hiera_call_walk_clear. */
void hiera_call_walk_init(HieraCallWalk *walk, const HieraCallSequence *sequence);
void hiera_call_walk_clear(HieraCallWalk *walk);

/** Return the next call, 0 if there is none. */
guint32 hiera_call_walk_next(HieraCallWalk *walk);
