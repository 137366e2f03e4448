/* Prints execution graphs: vertices as rows, and a flow chart. */
#pragma once

#include "execution_graph.h"
#include <stdio.h>

/* Return the name of a kind; a constant. */
const char *hiera_vertex_kind_name(HieraVertexKind kind);
/* Return the kind with its direction, like "branch backward"; a constant. */
const char *hiera_vertex_describe(const HieraVertex *vertex);
/* Write the flow chart of a function for Graphviz; loops are clusters. */
void hiera_execution_write_dot(const HieraExecution *execution, guint graph, FILE *stream);
