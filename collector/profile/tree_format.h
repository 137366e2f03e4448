/* Write the tree of a thread as elements of a trace: its operations, the time spent on full buffers, and the sums of
 * what was filtered. */
#ifndef HIERA_TREE_FORMAT_H
#define HIERA_TREE_FORMAT_H

#include "tree.h"
#include "write/trace_file.h"

/* Look up the names of its call sites. */
void hiera_tree_name_sites(const HieraProfile *profile);

/* Declare what it names, unless the file already has. */
void hiera_tree_declare(HieraTraceFile *stream, const HieraProfile *profile);

/* Declare the communicators that it names, unless the file already has. */
void hiera_tree_declare(HieraTraceFile *stream, const HieraProfile *profile);

/* Write what is inside a node that is an open element of the file (seam.h). */
void hiera_tree_put_inside(HieraTraceFile *stream, const HieraProfile *profile, const HieraProfileNode *of);

void hiera_tree_put(HieraTraceFile *stream, const HieraProfile *profile);

#endif
