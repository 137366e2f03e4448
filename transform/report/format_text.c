/* Format for people: aligned columns. terminal_layout.c chooses the columns and their widths. */
#include "terminal_cell.h"
#include "terminal_layout.h"
#include <string.h>

#define LINES_BYTES 65536 /* size of a write */

/* Replace the middle of a text by "…" if it is wider than `width` characters: "molecul…OPS.cc". Frees the given
 * text. */
static char *shorten(char *text, glong width)
{
    glong length = g_utf8_strlen(text, -1);
    if (length <= width)
        return text;
    glong head = (width - 1) / 2, tail = width - 1 - head;
    g_autofree char *first = g_utf8_substring(text, 0, head);
    g_autofree char *last = g_utf8_substring(text, length - tail, length);
    g_free(text);
    return g_strconcat(first, "…", last, NULL);
}

static void append_blanks(GString *line, glong n)
{
    for (; n > 0; n--)
        g_string_append_c(line, ' ');
}

/* Append a text, padded to the width of its column. It is shortened only if the length of lines is limited.
 * @param owned  the text; freed
 * @param left   align to the left
 * @param last   the column is the last one, so no padding follows */
static void append_text(GString *line, char *owned, const HieraLayout *layout, glong width, gboolean left,
                        gboolean last)
{
    g_autofree char *text = layout->line == G_MAXLONG ? owned : shorten(owned, width);
    glong blanks = width - g_utf8_strlen(text, -1);
    append_blanks(line, left ? 0 : blanks);
    g_string_append(line, text);
    append_blanks(line, left && !last ? blanks : 0);
}

static void append_number(GString *line, const HieraLayout *layout, const HieraColumn *column, const HieraCell *cell,
                          glong width)
{
    char number[HIERA_NUMBER_BYTES];
    gsize length = hiera_terminal_number(number, column, cell, layout->brief);
    append_blanks(line, width - (glong)length);
    g_string_append_len(line, number, (gssize)length);
}

/* Append a line. @param cells  of the row; NULL: append the head */
static void append_line(GString *lines, const HieraLayout *layout, const HieraColumn *columns, const HieraCell *cells)
{
    for (guint i = 0; i < layout->n; i++) {
        guint place = layout->columns[i];
        const HieraColumn *column = &columns[place];
        gboolean left = hiera_cell_is_text(column), last = i + 1 == layout->n;
        if (!cells || left)
            append_text(lines,
                        cells ? hiera_terminal_text(column, &cells[place]) : hiera_terminal_head(column, layout->brief),
                        layout, layout->widths[place], left, last);
        else
            append_number(lines, layout, column, &cells[place], layout->widths[place]);
        g_string_append(lines, last ? "\n" : "  ");
    }
}

/* Write the lines if there are at least `least` bytes. */
static void flush_lines(GString *lines, gsize least, FILE *stream)
{
    if (lines->len < least)
        return;
    fwrite(lines->str, 1, lines->len, stream);
    g_string_truncate(lines, 0);
}

void hiera_table_write_text(const HieraTable *table, gboolean title, FILE *stream)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    HieraLayout layout = hiera_layout_make(table, stream);
    GString *lines = g_string_new(NULL);
    if (title)
        fprintf(stream, "%s:\n", hiera_table_peek_title(table));
    append_line(lines, &layout, columns, NULL);
    for (guint row = 0, n = hiera_table_count(table); row < n; row++) {
        append_line(lines, &layout, columns, hiera_table_peek_row(table, row));
        flush_lines(lines, LINES_BYTES, stream);
    }
    flush_lines(lines, 1, stream);
    hiera_layout_write_note(&layout, table, stream);
    g_string_free(lines, TRUE);
    hiera_layout_clear(&layout);
}
