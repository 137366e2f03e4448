/* --where while the traces are read: each operation is passed on with the result of the expression, and
 * nothing is kept in memory.
 *
 * Two things are known only at the end of the traces: the end of an operation without a recorded one, and the short
 * name of a file if two files share it. If an expression asks for one of them, the stream is not sure, and its answers
 * are void: read the traces into memory instead. */
#pragma once

#include "hiera_load.h"
#include "where/where.h"

typedef struct WhereStream WhereStream;

/* Make a stream.
 * @param where  an expression that needs no match
 * @param sinks  n_sinks sinks that get all operations; the array is copied */
WhereStream *where_stream_new(const Where *where, HieraCatalog *catalog, const HieraSink *sinks, guint n_sinks);
void where_stream_free(WhereStream *stream);
HieraSink where_stream_sink(WhereStream *stream);
/* After reading: whether the answers are valid; next: whether the expression holds for at least one operation. */
gboolean where_stream_is_sure(const WhereStream *stream);
gboolean where_stream_has_chosen(const WhereStream *stream);
