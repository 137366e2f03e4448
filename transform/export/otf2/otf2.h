/* The export otf2. */
#pragma once

#include "export/exports.h"

/* Like hiera_export_otf2(). @param most_strings  most strings with numbers of their own in a thread */
gboolean hiera_otf2_write(const HieraExportInput *input, const char *target, guint32 most_strings, GError **error);
