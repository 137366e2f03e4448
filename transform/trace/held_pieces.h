/* Held pieces: pieces of a builder that stay in the process that has read them, until it is known which process needs
 * which operations. */
#pragma once

#include "hiera_load.h"
#include "piece.h"

/* Call before traces are read: pieces stay in their processes. For those of other processes, process 0 has pieces
 * without operations, with their `process` and `place`. */
void hiera_builder_hold(HieraBuilder *builder);
/* Return the pieces (HieraPiece) from which the trace is made, by rank; owned by the builder. */
GPtrArray *hiera_builder_peek_pieces(const HieraBuilder *builder);
/* In processes other than 0: append held piece number `place`; or append a piece without operations. */
void hiera_builder_add_held(HieraBuilder *builder, guint place);
void hiera_builder_add_empty(HieraBuilder *builder);
/* Make the builder use another catalog, to which all pieces have been renumbered. */
void hiera_builder_move(HieraBuilder *builder, HieraCatalog *catalog);
