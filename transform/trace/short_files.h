/* Short paths of source files for tables: the shortest end of each path that no other path has. */
#pragma once

#include "hiera_trace.h"

/* Set `short_file` of all sites.
 *
 * @param sites  HieraSite; their files must be interned. The short paths point into them. */
void hiera_short_files_set(const GPtrArray *sites);
/* Return the short path that a file has if no other file shares its last name; points into `path`. */
const char *hiera_file_alone(const char *path);
