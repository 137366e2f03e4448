/* --columns: which columns of the answers are written, and in which order. */
#ifndef HIERA_CLI_COLUMNS_H
#define HIERA_CLI_COLUMNS_H

#include "hiera_measure.h"

/* Whether each name is a column of one of the measures (const HieraMeasure *), and each measure has one of them. */
gboolean columns_check(const char *const *names, const GPtrArray *measures, GError **error);
/* Reduce a table to the columns among the names that it has. */
void columns_choose(const char *const *names, HieraTable *table);

#endif
