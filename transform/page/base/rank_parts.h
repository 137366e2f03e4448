/* A block of the page that is made rank by rank, by several processes: each makes the bytes of its own ranks. */
#pragma once

#include "hiera_measure.h"

/* GByteArray by index of the rank: the rank's bytes of a block; NULL: none. */
typedef GPtrArray HieraRankParts;

HieraRankParts *hiera_rank_parts_new(guint32 n_processors);
/* Return the bytes of a rank, to which more can be appended. */
GByteArray *hiera_rank_parts_of(HieraRankParts *parts, guint32 processor);
/* Pack the bytes of all ranks for another process; unpack them there and append them to its own. */
void hiera_rank_parts_pack(const HieraRankParts *parts, HieraPacker *to);
void hiera_rank_parts_unpack(HieraRankParts *parts, HieraUnpacker *from);
/* Gather the ranks' bytes of all processes in process 0. All processes must call it. */
void hiera_rank_parts_gather(HieraRankParts *parts, const HieraScope *scope, const HieraTrace *trace);
/* Append the bytes of all ranks to a block, by index of the rank. */
void hiera_rank_parts_join(const HieraRankParts *parts, GByteArray *block);
