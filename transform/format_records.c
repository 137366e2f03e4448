/* Answers for programs: CSV (RFC 4180, with a line feed as the end of line) and JSON. */
#include "table.h"
#include <string.h>

static void write_csv_text(const char *text, FILE *stream)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (const char *at = text; *at; at++) {
        if (*at == '"')
            fputc('"', stream);
        fputc(*at, stream);
    }
    fputc('"', stream);
}

static void write_number(const HieraColumn *column, const HieraCell *cell, FILE *stream)
{
    char number[HIERA_NUMBER_BYTES];
    hiera_cell_format(number, column, cell);
    fputs(number, stream);
}

void hiera_table_write_csv(const HieraTable *table, FILE *stream)
{
    guint n_columns, n = hiera_table_count(table);
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    for (guint i = 0; i < n_columns; i++)
        fprintf(stream, "%s%s", i ? "," : "", columns[i].name);
    fputc('\n', stream);
    for (guint row = 0; row < n; row++) {
        const HieraCell *cells = hiera_table_peek_row(table, row);
        for (guint i = 0; i < n_columns; i++) {
            if (i > 0)
                fputc(',', stream);
            if (hiera_cell_is_text(&columns[i]))
                write_csv_text(cells[i].text, stream);
            else
                write_number(&columns[i], &cells[i], stream);
        }
        fputc('\n', stream);
    }
}

static void write_json_row(const HieraColumn *columns, guint n_columns, const HieraCell *cells, FILE *stream)
{
    for (guint i = 0; i < n_columns; i++) {
        fprintf(stream, "%s\"%s\": ", i ? ", " : "{", columns[i].name);
        if (hiera_cell_is_text(&columns[i])) {
            g_autofree char *text = hiera_text_json(cells[i].text);
            fputs(text, stream);
        } else {
            write_number(&columns[i], &cells[i], stream);
        }
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
