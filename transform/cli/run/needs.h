/* What a command needs to be found out about the traces. Each step costs more memory than the one before: operations
 * one by one; all operations in columns; their partners; the graph. */
#pragma once

#include "cli/options/options.h"
#include "sharing/share.h"

const HieraMeasure *needs_peek_measure(const Options *options, guint index);
gboolean needs_graph(const Options *options);
gboolean needs_match(const Options *options);
/* True if the operations have to be in columns. An expression of --where that needs no partners does not need them. */
gboolean needs_trace(const Options *options);
/* True if several processes need not bring all operations together: each finds its part of all answers. */
gboolean needs_parts_alone(const Options *options);
/* Whether several processes can answer a measure together, and all that are asked. */
gboolean needs_has_parts(const HieraMeasure *measure);
gboolean needs_measures_in_parts(const Options *options);
/* True if several processes can answer the measures of the page together. */
gboolean needs_page_in_parts(const Options *options);
/* What the measures want of operations that are shared out. */
HieraSharingWants needs_of_sharing(const Options *options);
/* True if --where can be decided while the traces are read (where_stream.h). */
gboolean needs_where_stream(const Options *options);
