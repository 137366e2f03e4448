/** The calls of one rank in order, in little memory: a call is mostly followed by the same call as last
 * time, so only the exceptions are stored.
 *
 * A call is a number from 1, the node of a call tree. */
#pragma once

#include "hiera_pack.h"

typedef struct HieraCallSequence HieraCallSequence;

/** Return an empty sequence, to be freed with hiera_call_sequence_free.
 *
 * @param bytes_max  limit of memory; then no more calls are stored, and the sequence is cut */
HieraCallSequence *hiera_call_sequence_new(gsize bytes_max);
void hiera_call_sequence_free(HieraCallSequence *sequence);

void hiera_call_sequence_append(HieraCallSequence *sequence, guint32 call);

/** Free the memory that only appending needs. Call it after the last call was appended. */
void hiera_call_sequence_finish(HieraCallSequence *sequence);

/** Pack a finished sequence for another process; unpack it there. */
void hiera_call_sequence_pack(const HieraCallSequence *sequence, HieraPacker *to);
HieraCallSequence *hiera_call_sequence_unpack(HieraUnpacker *from);

/** Whether calls at the end were not stored, because bytes_max was reached. */
gboolean hiera_call_sequence_is_cut(const HieraCallSequence *sequence);

/** Position of a reader in a finished sequence. */
typedef struct {
    const HieraCallSequence *sequence;
    GArray *next;     /* guint32 by call: the call that came after it last time, as far as it was read; 0: none */
    guint32 last;     /* the call that was read last; 0: none yet */
    guint64 expected; /* number of calls to come that are as `next` predicts */
    guint at;         /* index in the sequence's bytes, behind those that were read */
} HieraCallWalk;

/** Begin to read at the first call of a finished sequence; to be cleared with hiera_call_walk_clear. */
void hiera_call_walk_init(HieraCallWalk *walk, const HieraCallSequence *sequence);
void hiera_call_walk_clear(HieraCallWalk *walk);

/** Return the next call of the sequence; 0: there is none. */
guint32 hiera_call_walk_next(HieraCallWalk *walk);
