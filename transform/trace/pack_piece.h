/* A piece as bytes: what a process has read of a file becomes a piece of another one. */
#ifndef HIERA_PACK_PIECE_H
#define HIERA_PACK_PIECE_H

#include "hiera_pack.h"
#include "piece.h"

void hiera_piece_pack(const HieraPiece *piece, HieraPacker *to);
/* Unpack into a piece that is new, with the same columns. */
void hiera_piece_unpack(HieraPiece *piece, HieraUnpacker *from);

#endif
