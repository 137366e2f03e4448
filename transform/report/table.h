/* Tables of results: what the writers of the formats need beside hiera_measure.h. */
#pragma once

#include "base/safe_text.h"
#include "hiera_measure.h"

/* Whether the user has chosen the columns (hiera_table_choose()). */
gboolean hiera_table_is_chosen(const HieraTable *table);
/* Return the sentence that explains an empty table; NULL: none. */
const char *hiera_table_peek_nothing(const HieraTable *table);

/* Set what the numbers of a table are (analyses/references.c), which JSON writes; it must outlive the table. */
void hiera_table_refer(HieraTable *table, const char *reference);
const char *hiera_table_peek_reference(const HieraTable *table);

/* Order of sorted rows. USUAL: keys and texts ascending, quantities descending. */
typedef enum { HIERA_ORDER_USUAL, HIERA_ORDER_UP, HIERA_ORDER_DOWN } HieraOrder;
/* Sort the rows of a settled table by one column; rows with equal cells there keep their order. The rows no longer
 * follow a tree, so a column of type HIERA_CELL_PATH becomes HIERA_CELL_CALLERS. */
void hiera_table_sort(HieraTable *table, guint column, HieraOrder order);
/* Remove all rows of a table but the first n. */
void hiera_table_keep_first(HieraTable *table, guint n);
/* Return the number of rows that hiera_table_keep_first() has removed. */
guint hiera_table_count_left_out(const HieraTable *table);

static inline gboolean hiera_cell_is_path(const HieraColumn *column)
{
    return column->type == HIERA_CELL_CALLERS || column->type == HIERA_CELL_PATH;
}

static inline gboolean hiera_cell_is_text(const HieraColumn *column)
{
    return column->type == HIERA_CELL_TEXT || column->type == HIERA_CELL_SENTENCE || column->type == HIERA_CELL_PROSE ||
           column->type == HIERA_CELL_FIGURE || hiera_cell_is_path(column);
}

/* Whether a terminal shows the cells of a column as text or as a bar, not as a number. */
static inline gboolean hiera_cell_is_drawn(const HieraColumn *column)
{
    return hiera_cell_is_text(column) || column->type == HIERA_CELL_BAR;
}

/* Pack the rows of a table; another process unpacks them into a table with the same columns. */
void hiera_table_pack(const HieraTable *table, HieraPacker *to);
void hiera_table_unpack(HieraTable *table, HieraUnpacker *from);

/* Write number / 10^decimals as a decimal number with `decimals` digits after the point. @return its length */
gsize hiera_decimal_format(char *buffer, gint64 number, guint decimals);
/* Write nanoseconds as seconds with nine digits after the point. */
void hiera_seconds_format(char *buffer, gint64 ns);
/* Separate the thousands of a whole number in place: 1234567 → 1,234,567. @return the new length */
gsize hiera_thousands_separate(char *number, gsize length);
/* Write a cell's number exactly, in the unit of its column; unknown: "". @return the length of the text */
gsize hiera_cell_format(char *buffer, const HieraColumn *column, const HieraCell *cell);

/* Write a table in one of the formats.
 * @param title  write the title of the table, too */
void hiera_table_write_text(const HieraTable *table, gboolean title, FILE *stream);
/* Write a table whose columns are those of HIERA_PROSE_COLUMNS. */
void hiera_table_write_prose(const HieraTable *table, FILE *stream);
void hiera_table_write_csv(const HieraTable *table, FILE *stream);
void hiera_table_write_json(const HieraTable *table, FILE *stream);
/* Write the type of each column, by its name, as a JSON object. */
void hiera_table_write_json_columns(const HieraTable *table, FILE *stream);
/* Write why numbers are null, by the names of their columns, as a JSON object. */
void hiera_table_write_json_unknown(const HieraTable *table, FILE *stream);
/* What to type for the evidence of a brief answer: a command, and the option that asks it for the tables. */
typedef struct {
    const char *command, *measure;
} HieraBriefCommand;
/* Write tables as one answer of at most 2,000 characters. */
void hiera_tables_write_brief(HieraTable *const *tables, guint n_tables, const HieraBriefCommand *evidence,
                              const HieraFindings *findings, FILE *stream);
/* Write a table of the measure `assertions` as JUnit XML. */
void hiera_table_write_junit(const HieraTable *table, FILE *stream);
