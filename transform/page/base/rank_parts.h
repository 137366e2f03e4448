/* Bytes of a block that belong to a rank each, as several processes make them: each those of its own ranks. */
#ifndef HIERA_RANK_PARTS_H
#define HIERA_RANK_PARTS_H

#include "hiera_measure.h"

/* By processor of the trace; NULL where there is nothing. */
typedef GPtrArray HieraRankParts;

HieraRankParts *hiera_rank_parts_new(guint32 n_processors);
/* Return those of a processor, to append to. */
GByteArray *hiera_rank_parts_of(HieraRankParts *parts, guint32 processor);
/* Tell another process all that there are, and add what one has told. */
void hiera_rank_parts_pack(const HieraRankParts *parts, HieraPacker *to);
void hiera_rank_parts_unpack(HieraRankParts *parts, HieraUnpacker *from);
/* The one that leads gets those of all. All call it. */
void hiera_rank_parts_gather(HieraRankParts *parts, const HieraScope *scope, const HieraTrace *trace);
/* Append them to a block, by processor. */
void hiera_rank_parts_join(const HieraRankParts *parts, GByteArray *block);

#endif
