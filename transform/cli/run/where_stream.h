/* --where while the traces are read: each operation is handed on with the answer whether the expression holds for it,
 * so that nothing is kept in memory.
 *
 * What is known only at the end of the traces cannot be asked: the end of an operation that has none, and which short
 * name a file gets where two files have the same. If an expression asks for it, the stream is not sure, and its answers
 * are void: read the traces into memory instead. */
#pragma once

#include "hiera_load.h"
#include "where/where.h"

typedef struct WhereStream WhereStream;

/* Make a stream.
 * @param where  an expression that needs no match
 * @param sinks  n_sinks of them: they get all operations; copied */
WhereStream *where_stream_new(const Where *where, HieraCatalog *catalog, const HieraSink *sinks, guint n_sinks);
void where_stream_free(WhereStream *stream);
HieraSink where_stream_sink(WhereStream *stream);
/* Once all is read: whether the answers count, and whether the expression holds for an operation. */
gboolean where_stream_is_sure(const WhereStream *stream);
gboolean where_stream_has_chosen(const WhereStream *stream);
