/* Execution graphs for users: names of vertices, and a flow chart. */
#pragma once

#include "execution_graph.h"
#include <stdio.h>

/* Return the vertex' kind with the direction of its jump, like "branch backward"; a constant. */
const char *hiera_vertex_describe(const HieraVertex *vertex);
/* Write the flow chart of a function in the language of Graphviz, with loops as clusters. */
void hiera_execution_write_dot(const HieraExecution *execution, guint graph, FILE *stream);
