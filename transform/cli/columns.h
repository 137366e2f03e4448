/* --columns: selects the columns of the results, and their order. */
#ifndef HIERA_CLI_COLUMNS_H
#define HIERA_CLI_COLUMNS_H

#include "hiera_measure.h"

/* Check that each name is a column of a measure, and that each measure has one of these columns.
 * @param names     NULL-terminated
 * @param measures  const HieraMeasure *
 * @return          false with an error if not */
gboolean columns_check(const char *const *names, const GPtrArray *measures, GError **error);
/* Keep only the named columns of a table, in the order of the names. Names that the table does not have are
 * ignored. */
void columns_choose(const char *const *names, HieraTable *table);

#endif
