/* Held pieces: pieces of a builder that stay in the process that has read them, until it is known which process needs
 * which operations. */
#pragma once

#include "hiera_load.h"
#include "piece.h"

/* Call before traces are read: pieces stay in their processes. For those of other processes, process 0 has pieces
 * without operations, with their `process` and `place`. */
void hiera_builder_hold(HieraBuilder *builder);
/* The pieces (HieraPiece) of the trace, by rank; owned by the builder. */
GPtrArray *hiera_builder_peek_pieces(const HieraBuilder *builder);
/* In processes other than 0: add the held piece at this place, or a piece without operations. */
void hiera_builder_add_held(HieraBuilder *builder, guint place);
void hiera_builder_add_empty(HieraBuilder *builder);
/* Make the trace with another catalog, and renumber all pieces to it. */
void hiera_builder_move(HieraBuilder *builder, HieraCatalog *catalog);
