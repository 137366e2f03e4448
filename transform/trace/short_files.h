/* Short paths of source files for tables: of each path the shortest end that differs from the ends of all others. */
#pragma once

#include "hiera_trace.h"

/* Set `short_file` of all sites.
 *
 * @param sites  HieraSite; their files must be interned. The short paths point into them. */
void hiera_short_files_set(const GPtrArray *sites);
/* Return the short path of a file if no other file has its name: an end of `path`. */
const char *hiera_file_alone(const char *path);
