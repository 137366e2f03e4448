/* Format for people: aligned columns. terminal_layout.c chooses the columns and their widths. */
#include "base/text_width.h"
#include "terminal_cell.h"
#include "terminal_layout.h"
#include <string.h>

#define LINES_BYTES     65536 /* number of bytes that are written at once */
#define SENTENCE_INDENT 4

/* Append a text, padded to the width of its column.
 * @param left   align to the left
 * @param last   the column is the last one, so no padding follows */
static void append_text(GString *line, const char *text, glong width, gboolean left, gboolean last)
{
    glong blanks = width - hiera_text_width(text, -1);
    hiera_blanks_append(line, left ? 0 : blanks);
    g_string_append(line, text);
    hiera_blanks_append(line, left && !last ? blanks : 0);
}

static void append_number(GString *line, const HieraLayout *layout, const HieraColumn *column, const HieraCell *cell,
                          glong width)
{
    char number[HIERA_NUMBER_BYTES];
    hiera_blanks_append(line, width - hiera_terminal_number(number, column, cell, layout->brief));
    g_string_append(line, number);
}

/* Return the text of a cell, to be freed with g_free; shortened to `width` if lines have a limited length. */
static char *make_text(const HieraLayout *layout, const HieraColumn *column, const HieraCell *cell, glong width)
{
    if (column->type == HIERA_CELL_BAR)
        return hiera_terminal_bar(cell->number, layout->bar);
    char *text = hiera_terminal_text(column, cell);
    return layout->brief ? hiera_terminal_fit(column, text, width) : text;
}

/* Append a line of the table. @param cells  cells of a row; NULL: the heads of the columns */
static void append_line(GString *lines, const HieraLayout *layout, const HieraColumn *columns, const HieraCell *cells)
{
    for (guint i = 0; i < layout->n; i++) {
        guint place = layout->columns[i];
        const HieraColumn *column = &columns[place];
        glong width = layout->widths[place];
        gboolean drawn = hiera_cell_is_drawn(column), last = i + 1 == layout->n;
        gboolean left = drawn && column->type != HIERA_CELL_FIGURE;
        if (cells && !drawn) {
            append_number(lines, layout, column, &cells[place], width);
        } else {
            g_autofree char *text =
                cells ? make_text(layout, column, &cells[place], width) : hiera_terminal_head(column, layout->brief);
            append_text(lines, text, width, left, last);
        }
        hiera_blanks_append(lines, last ? 0 : layout->gap);
        g_string_append(lines, last ? "\n" : "");
    }
}

static void append_sentences(GString *lines, const HieraLayout *layout, const HieraTable *table, guint row)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    const HieraCell *cells = hiera_table_peek_row(table, row);
    for (guint i = 0; i < n_columns; i++) {
        if (columns[i].type != HIERA_CELL_SENTENCE || !*cells[i].text)
            continue;
        g_autofree char *text = hiera_terminal_text(&columns[i], &cells[i]);
        hiera_terminal_wrap(lines, text, SENTENCE_INDENT, SENTENCE_INDENT, layout->line);
    }
}

/* Write the collected lines if they have at least `least` bytes. */
static void flush_lines(GString *lines, gsize least, FILE *stream)
{
    if (lines->len < least)
        return;
    fwrite(lines->str, 1, lines->len, stream);
    g_string_truncate(lines, 0);
}

static void write_rows(const HieraLayout *layout, const HieraTable *table, FILE *stream)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    g_autoptr(GString) lines = g_string_new(NULL);
    append_line(lines, layout, columns, NULL);
    for (guint row = 0, n = hiera_table_count(table); row < n; row++) {
        append_line(lines, layout, columns, hiera_table_peek_row(table, row));
        append_sentences(lines, layout, table, row);
        flush_lines(lines, LINES_BYTES, stream);
    }
    flush_lines(lines, 1, stream);
    hiera_layout_write_note(layout, table, stream);
}

/* Write "no rows" and the explanation of an empty table, for people who read a terminal. */
static void write_nothing(const HieraLayout *layout, const HieraTable *table, FILE *stream)
{
    const char *nothing = hiera_table_peek_nothing(table);
    g_autofree char *text = g_strconcat("no rows", nothing ? ": " : "", nothing, NULL);
    g_autoptr(GString) lines = g_string_new(NULL);
    hiera_terminal_wrap(lines, text, 0, SENTENCE_INDENT, layout->line);
    flush_lines(lines, 1, stream);
}

void hiera_table_write_text(const HieraTable *table, gboolean title, FILE *stream)
{
    HieraLayout layout = hiera_layout_make(table, stream);
    if (title)
        fprintf(stream, "%s:\n", hiera_table_peek_title(table));
    gboolean empty = hiera_table_count(table) + hiera_table_count_left_out(table) == 0;
    (layout.brief && empty ? write_nothing : write_rows)(&layout, table, stream);
    hiera_layout_clear(&layout);
}
