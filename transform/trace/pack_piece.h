/* A piece (the operations of one file) as bytes, from which another process makes the same piece. */
#pragma once

#include "hiera_pack.h"
#include "piece.h"

void hiera_piece_pack(const HieraPiece *piece, HieraPacker *to);
/* Pack the given operations of a piece, and all calls that a filter only counted; without optional columns. Needs only
 * the memory of one block.
 *
 * @param rows  guint32, rising; with each operation its parent */
void hiera_piece_pack_chosen(const HieraPiece *piece, const GArray *rows, HieraPacker *to);
/* Pack a piece in steps: a head with its number of rows, its blocks, and what is not in blocks. */
void hiera_piece_pack_head(guint32 n, gboolean full, HieraPacker *to);
void hiera_piece_pack_block(const HieraPieceBlock *block, guint32 n, guint keep, HieraPacker *to);
void hiera_piece_pack_rest(const HieraPiece *piece, HieraPacker *to);
/* Unpack a packed piece into an empty piece with the same columns. */
void hiera_piece_unpack(HieraPiece *piece, HieraUnpacker *from);
