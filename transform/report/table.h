/* Tables of answers, as the writers of the formats see them. */
#ifndef HIERA_TABLE_H
#define HIERA_TABLE_H

#include "base/safe_text.h"
#include "hiera_measure.h"

const char *hiera_table_peek_title(const HieraTable *table);
const HieraColumn *hiera_table_peek_columns(const HieraTable *table, guint *n_columns);

/* Keep these columns alone, in this order; one may be there twice. For a table that is settled. */
void hiera_table_choose(HieraTable *table, const guint *columns, guint n);

static inline gboolean hiera_cell_is_text(const HieraColumn *column)
{
    return column->type == HIERA_CELL_TEXT || column->type == HIERA_CELL_PATH;
}

/* Numbers into a buffer of at least HIERA_NUMBER_BYTES: one of which the last `decimals` digits stand behind a point,
 * nanoseconds as decimal seconds with nine digits, a cell as its column says; @return its length */
#define HIERA_NUMBER_BYTES 32
gsize hiera_decimal_format(char *buffer, gint64 number, guint decimals);
void hiera_seconds_format(char *buffer, gint64 ns);
gsize hiera_cell_format(char *buffer, const HieraColumn *column, const HieraCell *cell);

/* One format each. */
void hiera_table_write_text(const HieraTable *table, gboolean title, FILE *stream);
void hiera_table_write_csv(const HieraTable *table, FILE *stream);
void hiera_table_write_json(const HieraTable *table, FILE *stream);

#endif
