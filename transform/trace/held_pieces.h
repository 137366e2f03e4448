/* Pieces of a builder that stay in the process that has read them, until it is known who needs what of them. */
#ifndef HIERA_HELD_PIECES_H
#define HIERA_HELD_PIECES_H

#include "hiera_load.h"
#include "piece.h"

/* Before traces are read: pieces stay. What process 0 has of those of others are pieces without operations, with their
 * `process` and `place`. */
void hiera_builder_hold(HieraBuilder *builder);
/* The pieces (HieraPiece) of the trace, by rank; owned by the builder. */
GPtrArray *hiera_builder_peek_pieces(const HieraBuilder *builder);
/* The other processes: add one that has stayed at this place, and one without operations. */
void hiera_builder_add_held(HieraBuilder *builder, guint place);
void hiera_builder_add_empty(HieraBuilder *builder);
/* Have the trace made with another catalog, to which all pieces are renumbered. */
void hiera_builder_move(HieraBuilder *builder, HieraCatalog *catalog);

#endif
