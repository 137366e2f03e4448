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

/** Finish the sequence after its last call, so that memory for further calls is freed. */
void hiera_call_sequence_finish(HieraCallSequence *sequence);

/** Pack a finished sequence for another process, and unpack it there. */
void hiera_call_sequence_pack(const HieraCallSequence *sequence, HieraPacker *to);
HieraCallSequence *hiera_call_sequence_unpack(HieraUnpacker *from);

/** Whether some calls were not stored because of the limit of memory. */
gboolean hiera_call_sequence_is_cut(const HieraCallSequence *sequence);

/** Position of a reader in a sequence. */
typedef struct {
    const HieraCallSequence *sequence;
    GArray *next;     /* as `next` of HieraCallSequence */
    guint32 last;     /* the previous call, 0 before the first one */
    guint64 expected; /* number of following calls that are the same as last time */
    guint at;         /* index of the byte after them in the sequence */
} HieraCallWalk;

/** Begin at the first call of a finished sequence; to be cleared with hiera_call_walk_clear. */
void hiera_call_walk_init(HieraCallWalk *walk, const HieraCallSequence *sequence);
void hiera_call_walk_clear(HieraCallWalk *walk);

/** Return the next call, 0 if there is none. */
guint32 hiera_call_walk_next(HieraCallWalk *walk);
