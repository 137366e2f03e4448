/* See answers.h. */
#include "answers.h"
#include <check.h>
#include <string.h>

HieraTable *answer(const HieraMatch *match, const HieraMeasure *measure, const char *by)
{
    HieraScope scope = HIERA_SCOPE_ALL;
    scope.options.by = by;
    HieraTable *table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
    ck_assert(measure->find(match, &scope, table, NULL));
    return table;
}

guint column_of(const HieraMeasure *measure, const char *name)
{
    for (guint i = 0; i < measure->n_columns; i++) {
        if (strcmp(measure->columns[i].name, name) == 0)
            return i;
    }
    ck_abort_msg("no column %s", name);
}

gint64 number_at(const HieraTable *table, const HieraMeasure *measure, guint row, const char *column)
{
    return hiera_table_peek_row(table, row)[column_of(measure, column)].number;
}
