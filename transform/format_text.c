/* Answers for people: aligned columns on a terminal of 80 characters. Sums have their thousands apart; texts that are
 * too long lose their middle, the widest column first. */
#include "table.h"
#include <string.h>

#define TERMINAL_WIDTH 80
#define GAP            2
#define NARROWEST      8 /* of a text column that is shortened */

/* 1234567 → 1,234,567 */
static char *group_thousands(gint64 number)
{
    g_autofree char *digits = g_strdup_printf("%" G_GINT64_FORMAT, number);
    GString *text = g_string_new(NULL);
    gsize n = strlen(digits);
    for (gsize i = 0; i < n; i++) {
        g_string_append_c(text, digits[i]);
        if (i + 1 < n && (n - i - 1) % 3 == 0 && digits[i] != '-')
            g_string_append_c(text, ',');
    }
    return g_string_free(text, FALSE);
}

static char *format_cell(const HieraColumn *column, const HieraCell *cell)
{
    char seconds[HIERA_SECONDS_BYTES];
    switch (column->type) {
    case HIERA_CELL_TEXT:
        return hiera_text_printable(cell->text);
    case HIERA_CELL_SECONDS:
        hiera_seconds_format(seconds, cell->number);
        return g_strdup(seconds);
    case HIERA_CELL_INTEGER:
        break;
    }
    return column->role == HIERA_ROLE_SUM ? group_thousands(cell->number)
                                          : g_strdup_printf("%" G_GINT64_FORMAT, cell->number);
}

static char *format_head(const HieraColumn *column)
{
    return column->type == HIERA_CELL_SECONDS ? g_strdup_printf("%s [s]", column->name) : g_strdup(column->name);
}

/* "molecularDynamicsOOPS.cc" → "molecul…OPS.cc" */
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

static glong *measure_widths(const HieraTable *table, const HieraColumn *columns, guint n_columns)
{
    glong *widths = g_new0(glong, n_columns);
    for (guint i = 0; i < n_columns; i++) {
        g_autofree char *head = format_head(&columns[i]);
        widths[i] = g_utf8_strlen(head, -1);
        for (guint row = 0; row < hiera_table_count(table); row++) {
            g_autofree char *cell = format_cell(&columns[i], &hiera_table_peek_row(table, row)[i]);
            widths[i] = MAX(widths[i], g_utf8_strlen(cell, -1));
        }
    }
    return widths;
}

/* Narrow the widest text column by what is too much, until the row fits or nothing can be narrowed. */
static void fit_widths(glong *widths, const HieraColumn *columns, guint n_columns)
{
    for (;;) {
        glong total = -GAP;
        guint widest = n_columns;
        for (guint i = 0; i < n_columns; i++) {
            total += widths[i] + GAP;
            if (columns[i].type == HIERA_CELL_TEXT && widths[i] > NARROWEST &&
                (widest == n_columns || widths[i] > widths[widest]))
                widest = i;
        }
        if (total <= TERMINAL_WIDTH || widest == n_columns)
            return;
        widths[widest] = MAX(MAX(NARROWEST, widths[widest] / 2), widths[widest] - (total - TERMINAL_WIDTH));
    }
}

/* Texts stand left, numbers right. */
static void write_cell(char *owned, glong width, gboolean left, gboolean last, FILE *stream)
{
    g_autofree char *text = shorten(owned, width);
    int blanks = (int)(width - g_utf8_strlen(text, -1));
    if (left)
        fprintf(stream, "%s%*s", text, last ? 0 : blanks, "");
    else
        fprintf(stream, "%*s%s", blanks, "", text);
    fputs(last ? "\n" : "  ", stream);
}

void hiera_table_write_text(const HieraTable *table, gboolean title, FILE *stream)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    g_autofree glong *widths = measure_widths(table, columns, n_columns);
    fit_widths(widths, columns, n_columns);
    if (title)
        fprintf(stream, "%s:\n", hiera_table_peek_title(table));
    for (guint i = 0; i < n_columns; i++)
        write_cell(format_head(&columns[i]), widths[i], columns[i].type == HIERA_CELL_TEXT, i + 1 == n_columns, stream);
    for (guint row = 0; row < hiera_table_count(table); row++) {
        const HieraCell *cells = hiera_table_peek_row(table, row);
        for (guint i = 0; i < n_columns; i++)
            write_cell(format_cell(&columns[i], &cells[i]), widths[i], columns[i].type == HIERA_CELL_TEXT,
                       i + 1 == n_columns, stream);
    }
}
