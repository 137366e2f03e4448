/* --export otf2, with a parameter for tests. */
#pragma once

#include "export/exports.h"

/* Like hiera_export_otf2(). @param most_strings  greatest number of strings in the mapping table of a thread */
gboolean hiera_otf2_write(const HieraExportInput *input, const char *target, guint32 most_strings, GError **error);
