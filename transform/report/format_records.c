/* Formats for programs: CSV (as RFC 4180, but with LF as line end) and JSON. */
#include "table.h"
#include <string.h>

/* Return the text of a cell, to be freed with g_free; the names of a call path are joined. */
static char *join(const HieraColumn *column, const HieraCell *cell)
{
    return hiera_cell_is_path(column) ? hiera_text_path(cell->text) : g_strdup(cell->text);
}

/* Write a cell. @param unknown  text for a number that is not known
 * @param escape  applied to texts; its result is freed with g_free */
static void write_cell(const HieraColumn *column, const HieraCell *cell, const char *unknown,
                       char *(*escape)(const char *), FILE *stream)
{
    char number[HIERA_NUMBER_BYTES];
    if (!hiera_cell_is_text(column)) {
        fputs(hiera_cell_format(number, column, cell) > 0 ? number : unknown, stream);
        return;
    }
    g_autofree char *text = join(column, cell), *escaped = escape(text);
    fputs(escaped, stream);
}

/* Return the index of the next column from `i` on that is written, which bars are not; n_columns: none follows. */
static guint find_column(const HieraColumn *columns, guint n_columns, guint i)
{
    while (i < n_columns && columns[i].type == HIERA_CELL_BAR)
        i++;
    return i;
}

void hiera_table_write_csv(const HieraTable *table, FILE *stream)
{
    guint n_columns, n = hiera_table_count(table);
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    guint first = find_column(columns, n_columns, 0);
    for (guint i = first; i < n_columns; i = find_column(columns, n_columns, i + 1))
        fprintf(stream, "%s%s", i > first ? "," : "", columns[i].name);
    fputc('\n', stream);
    for (guint row = 0; row < n; row++) {
        const HieraCell *cells = hiera_table_peek_row(table, row);
        for (guint i = first; i < n_columns; i = find_column(columns, n_columns, i + 1)) {
            if (i > first)
                fputc(',', stream);
            write_cell(&columns[i], &cells[i], "", columns[i].type == HIERA_CELL_FIGURE ? g_strdup : hiera_text_csv,
                       stream);
        }
        fputc('\n', stream);
    }
}

/* Return a number for JSON; "null" for "", infinite numbers and NaN, which JSON does not have. */
static char *figure_json(const char *text)
{
    return g_strdup(*text && text[strspn(text, "0123456789+-.e")] == '\0' ? text : "null");
}

static void write_json_row(const HieraColumn *columns, guint n_columns, const HieraCell *cells, FILE *stream)
{
    fputc('{', stream);
    guint first = find_column(columns, n_columns, 0);
    for (guint i = first; i < n_columns; i = find_column(columns, n_columns, i + 1)) {
        fprintf(stream, "%s\"%s\": ", i > first ? ", " : "", columns[i].name);
        write_cell(&columns[i], &cells[i], "null", columns[i].type == HIERA_CELL_FIGURE ? figure_json : hiera_text_json,
                   stream);
    }
    fputc('}', stream);
}

void hiera_table_write_json(const HieraTable *table, FILE *stream)
{
    guint n_columns, n = hiera_table_count(table);
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    fputc('[', stream);
    for (guint row = 0; row < n; row++) {
        fputs(row ? ",\n  " : "\n  ", stream);
        write_json_row(columns, n_columns, hiera_table_peek_row(table, row), stream);
    }
    fputs("\n]", stream);
}

/* Return the word for the type of a column, by which programs know its unit. */
static const char *name_type(const HieraColumn *column)
{
    switch (column->type) {
    case HIERA_CELL_INTEGER:
        return "integer";
    case HIERA_CELL_SECONDS:
        return "seconds";
    case HIERA_CELL_PERCENT:
        return "percent";
    case HIERA_CELL_BYTES:
        return "bytes";
    case HIERA_CELL_RATE:
        return "bytes/s";
    case HIERA_CELL_FIGURE:
        return "number";
    default:
        return "text";
    }
}

void hiera_table_write_json_columns(const HieraTable *table, FILE *stream)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    fputc('{', stream);
    guint first = find_column(columns, n_columns, 0);
    for (guint i = first; i < n_columns; i = find_column(columns, n_columns, i + 1))
        fprintf(stream, "%s\"%s\": \"%s\"", i > first ? ", " : "", columns[i].name, name_type(&columns[i]));
    fputc('}', stream);
}
