/* Formats for programs: CSV (as RFC 4180, but with LF as line end) and JSON. */
#include "table.h"
#include <string.h>

/* Return the text of a cell, to be freed with g_free; the names of a call path are joined. */
static char *join(const HieraColumn *column, const HieraCell *cell)
{
    return hiera_cell_is_path(column) ? hiera_text_path(cell->text) : g_strdup(cell->text);
}

/* Write a cell; a number that is not known is "".
 * @param escape  applied to texts; its result is freed with g_free */
static void write_cell(const HieraColumn *column, const HieraCell *cell, char *(*escape)(const char *), FILE *stream)
{
    char number[HIERA_NUMBER_BYTES];
    if (!hiera_cell_is_text(column)) {
        hiera_cell_format(number, column, cell);
        fputs(number, stream);
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
            write_cell(&columns[i], &cells[i], columns[i].type == HIERA_CELL_FIGURE ? g_strdup : hiera_text_csv,
                       stream);
        }
        fputc('\n', stream);
    }
}

/* Whether JSON has the number that a text says: not "", infinite numbers and NaN. */
static gboolean is_figure(const char *text)
{
    return *text && text[strspn(text, "0123456789+-.e")] == '\0';
}

static gboolean is_line(const HieraColumn *column)
{
    return column->type == HIERA_CELL_INTEGER && strcmp(column->name, "line") == 0;
}

/* Whether JSON has null for a cell: nobody knows the number. */
static gboolean is_null(const HieraColumn *column, const HieraCell *cell)
{
    if (hiera_cell_is_text(column))
        return column->type == HIERA_CELL_FIGURE && !is_figure(cell->text);
    return hiera_cell_is_unknown(column, cell) || (cell->number == 0 && is_line(column));
}

/* Return why JSON has null for cells of a column. */
static const char *explain_null(const HieraColumn *column)
{
    static const struct {
        const char *name, *reason;
    } reasons[] = {
        {"line", "the row has no place, or the trace has no line of it"},
        {"time", "not evaluated: what it is a part of is no bottleneck"},
        {"value", "not evaluated: what it is a part of is no bottleneck"},
        {"min", "no execution was timed to its end"},
        {"max", "no execution was timed to its end"},
        {"rate", "no time has passed, or a sum is too large"},
        {"thread-imbalance", "no rank has several threads in it"},
        {"factor", "the other ones have no time to compare with"},
        {"mpi", "no team of OpenMP was recorded, or calls are missing (findings)"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(reasons); i++) {
        if (strcmp(column->name, reasons[i].name) == 0)
            return reasons[i].reason;
    }
    if (g_str_has_prefix(column->name, "openmp"))
        return "no team of OpenMP was recorded, or calls are missing (findings)";
    if (g_str_has_prefix(column->name, "bytes_"))
        return "no call has bytes";
    return column->type == HIERA_CELL_PERCENT ? "a share of 0, or what it needs was not recorded (findings)"
                                              : "not computed for this row";
}

static void write_json_row(const HieraColumn *columns, guint n_columns, const HieraCell *cells, FILE *stream)
{
    fputc('{', stream);
    guint first = find_column(columns, n_columns, 0);
    for (guint i = first; i < n_columns; i = find_column(columns, n_columns, i + 1)) {
        fprintf(stream, "%s\"%s\": ", i > first ? ", " : "", columns[i].name);
        if (is_null(&columns[i], &cells[i]))
            fputs("null", stream);
        else
            write_cell(&columns[i], &cells[i], columns[i].type == HIERA_CELL_FIGURE ? g_strdup : hiera_text_json,
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

/* Whether any row has null in a column. */
static gboolean has_null(const HieraTable *table, const HieraColumn *column, guint i)
{
    for (guint row = 0, n = hiera_table_count(table); row < n; row++) {
        if (is_null(column, &hiera_table_peek_row(table, row)[i]))
            return TRUE;
    }
    return FALSE;
}

void hiera_table_write_json_unknown(const HieraTable *table, FILE *stream)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    const char *before = "";
    fputc('{', stream);
    for (guint i = find_column(columns, n_columns, 0); i < n_columns; i = find_column(columns, n_columns, i + 1)) {
        if (!has_null(table, &columns[i], i))
            continue;
        fprintf(stream, "%s\"%s\": \"%s\"", before, columns[i].name, explain_null(&columns[i]));
        before = ", ";
    }
    fputc('}', stream);
}
