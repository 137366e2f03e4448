/* A piece as bytes: what a process has read of a file becomes a piece of another one. */
#ifndef HIERA_PACK_PIECE_H
#define HIERA_PACK_PIECE_H

#include "hiera_pack.h"
#include "piece.h"

void hiera_piece_pack(const HieraPiece *piece, HieraPacker *to);
/* Pack a piece of those operations, and of all that a filter only counted; without columns that are asked for. It takes
 * the memory of a block.
 *
 * @param rows  guint32, rising; parents with their children */
void hiera_piece_pack_chosen(const HieraPiece *piece, const GArray *rows, HieraPacker *to);
/* Its steps, as for a whole piece: a head, blocks, and all the rest. */
void hiera_piece_pack_head(guint32 n, gboolean full, HieraPacker *to);
void hiera_piece_pack_block(const HieraPieceBlock *block, guint32 n, guint keep, HieraPacker *to);
void hiera_piece_pack_rest(const HieraPiece *piece, HieraPacker *to);
/* Unpack into a piece that is new, with the same columns. */
void hiera_piece_unpack(HieraPiece *piece, HieraUnpacker *from);

#endif
