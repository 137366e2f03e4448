/* What GraphML has of vertices and edges. Numbers are greater by one than those of vertices. */
#ifndef HIERA_GRAPHML_WORDS_H
#define HIERA_GRAPHML_WORDS_H

#include "hiera_graph.h"
#include <stdio.h>

void hiera_graphml_head(FILE *stream);
/* A processor and its operations. @param number  of the processor; those of its operations follow */
void hiera_graphml_vertices(FILE *stream, const HieraTrace *trace, guint32 processor, guint64 number);
void hiera_graphml_collective(FILE *stream, guint64 number);
void hiera_graphml_edge(FILE *stream, HieraEdge kind, guint64 from, guint64 to, gboolean ambiguous);
void hiera_graphml_end(FILE *stream);

#endif
