/* Writes vertices and edges as GraphML. A printed number is the number of the vertex plus 1. */
#pragma once

#include "hiera_graph.h"
#include <stdio.h>

void hiera_graphml_head(FILE *stream);
/* Write a processor and its operations. @param number  printed number of its vertex; those of its operations follow */
void hiera_graphml_vertices(FILE *stream, const HieraTrace *trace, guint32 processor, guint64 number);
void hiera_graphml_collective(FILE *stream, guint64 number);
void hiera_graphml_edge(FILE *stream, HieraEdge kind, guint64 from, guint64 to, gboolean ambiguous);
void hiera_graphml_end(FILE *stream);
