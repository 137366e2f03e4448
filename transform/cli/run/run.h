/* One run of the analysed program: read its traces, check, measure, write. */
#pragma once

#include "cli/options/options.h"
#include "cli/options/report.h"

/* Do what the options ask for. @return the exit status */
int run(const Options *options);

/* Callback that gets the tables (HieraTable *) of the measures and the catalog, which are freed when it returns. */
typedef void RunUse(const GPtrArray *tables, const HieraCatalog *catalog, gpointer user);

/* Read and measure, but write nothing. The options must ask for measures only.
 *
 * @param tell  whether to print the findings about the traces
 * @param use   not called if no trace could be read */
gboolean run_tables(const Options *options, gboolean tell, RunUse *use, gpointer user, GError **error);
