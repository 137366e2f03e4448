/* Bytes of a block by rank, made by several processes: each makes those of its own ranks. */
#pragma once

#include "hiera_measure.h"

/* GByteArray by index of the rank; NULL: none. */
typedef GPtrArray HieraRankParts;

HieraRankParts *hiera_rank_parts_new(guint32 n_processors);
/* Return the bytes of a rank, to append to. */
GByteArray *hiera_rank_parts_of(HieraRankParts *parts, guint32 processor);
/* Pack all parts for another process; add the parts that another process has packed. */
void hiera_rank_parts_pack(const HieraRankParts *parts, HieraPacker *to);
void hiera_rank_parts_unpack(HieraRankParts *parts, HieraUnpacker *from);
/* Gather the parts of all processes in process 0. All must call it. */
void hiera_rank_parts_gather(HieraRankParts *parts, const HieraScope *scope, const HieraTrace *trace);
/* Append the parts to a block, by rank. */
void hiera_rank_parts_join(const HieraRankParts *parts, GByteArray *block);
