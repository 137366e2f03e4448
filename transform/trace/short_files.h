/* Source files as tables show them: of each path as much of its end as tells it from the others. */
#ifndef HIERA_SHORT_FILES_H
#define HIERA_SHORT_FILES_H

#include "hiera_trace.h"

/* Set `short_file` of all sites. @param sites  HieraSite; their files are interned */
void hiera_short_files_set(const GPtrArray *sites);

#endif
