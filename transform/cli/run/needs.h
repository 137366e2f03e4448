/* What a command needs to know from the traces. Each step costs more memory than the previous one: operations
 * one by one; all operations in columns; their partners; the graph. */
#pragma once

#include "cli/options/options.h"
#include "sharing/share.h"

const HieraMeasure *needs_peek_measure(const Options *options, guint index);
gboolean needs_graph(const Options *options);
gboolean needs_match(const Options *options);
/* True if the operations have to be in memory, in columns. An expression of --where that needs no partners does not
 * need that. */
gboolean needs_trace(const Options *options);
/* True if several processes can answer everything without collecting all operations in one process: each contributes
 * its part. */
gboolean needs_parts_alone(const Options *options);
/* Whether several processes together can answer a measure; next: all measures of the options. */
gboolean needs_has_parts(const HieraMeasure *measure);
gboolean needs_measures_in_parts(const Options *options);
/* Whether several processes together can answer the measures that the page of --html shows. */
gboolean needs_page_in_parts(const Options *options);
/* Return what the measures need to know of operations that are distributed over processes. */
HieraSharingWants needs_of_sharing(const Options *options);
/* Whether --where can be decided operation by operation while the traces are read (where_stream.h). */
gboolean needs_where_stream(const Options *options);
