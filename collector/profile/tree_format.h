/* Write the tree of a thread as elements of a trace: its operations, the time spent on full buffers, and the sums of
 * filtered operations. */
#pragma once

#include "tree.h"
#include "write/trace_file.h"

/* Look up the names of all call sites of the tree. */
void hiera_tree_name_sites(const HieraProfile *profile);

/* Declare the communicators that the tree uses, unless the file has these declarations already. */
void hiera_tree_declare(HieraTraceFile *stream, const HieraProfile *profile);

/* Write the nodes below `of`, the node of an element that is open in the file (switch_over.h). */
void hiera_tree_put_inside(HieraTraceFile *stream, const HieraProfile *profile, const HieraProfileNode *of);

void hiera_tree_put(HieraTraceFile *stream, const HieraProfile *profile);
