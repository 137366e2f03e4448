/* One run of the program: read, check, measure, write. */
#pragma once

#include "cli/options/options.h"

enum { EXIT_GOOD = 0, EXIT_CHECK_FAILED = 1, EXIT_WRONG_USE = 2, EXIT_UNREADABLE = 3 };

/* Do the work that the options ask for. @return the exit status */
int run(const Options *options);

/* Gets the answers (HieraTable *) and the sites of the traces. They are valid until it returns. */
typedef void RunUse(const GPtrArray *tables, const HieraCatalog *catalog, gpointer user);

/* Read and measure, and write nothing. The options ask for measures alone.
 *
 * @param tell  say what is wrong with the traces
 * @param use   not called if no trace could be read */
gboolean run_tables(const Options *options, gboolean tell, RunUse *use, gpointer user, GError **error);
