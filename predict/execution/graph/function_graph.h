/* Makes the execution graph of one function from its machine code. */
#pragma once

#include "execution_graph.h"

/* Add the graph of a function. Its calls have targets, whose graphs may not exist yet.
 *
 * @param found  receives guint64: addresses of functions that it may call */
void hiera_function_graph_add(HieraExecution *execution, const HieraFunction *function, GArray *found);
