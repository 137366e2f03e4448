/* Answers for people: aligned columns on a terminal, of 80 characters if it does not say otherwise. Sums have their
 * thousands apart; what is too wide loses its columns of detail, and then texts lose their middle, the widest first. */
#include "table.h"
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TERMINAL_WIDTH 80
#define GAP            2
#define NARROWEST      8  /* of a text column that is shortened */
#define READABLE       24 /* of a text column for which columns of detail make room */
#define INDENT_MAX     12 /* blanks before a step of a path, one for each before it */

/* The columns that are shown, and how wide. */
typedef struct {
    guint *columns, n;
    glong *widths;
    glong line;
} Layout;

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

/* "a > b > c" → "  c" */
static char *format_path(const char *path)
{
    const char *last = path;
    int depth = 0;
    for (const char *at = path; (at = strstr(at, HIERA_PATH_SEPARATOR)); depth++)
        last = at += strlen(HIERA_PATH_SEPARATOR);
    g_autofree char *step = hiera_text_printable(last);
    return g_strdup_printf("%*s%s", MIN(depth, INDENT_MAX), "", step);
}

static char *format_cell(const HieraColumn *column, const HieraCell *cell)
{
    char number[HIERA_SECONDS_BYTES];
    switch (column->type) {
    case HIERA_CELL_TEXT:
        return hiera_text_printable(cell->text);
    case HIERA_CELL_PATH:
        return format_path(cell->text);
    case HIERA_CELL_SECONDS:
        hiera_seconds_format(number, cell->number);
        return g_strdup(number);
    case HIERA_CELL_PERCENT:
        hiera_percent_format(number, cell->number);
        return g_strdup(number);
    case HIERA_CELL_INTEGER:
        break;
    }
    return column->role != HIERA_ROLE_KEY ? group_thousands(cell->number)
                                          : g_strdup_printf("%" G_GINT64_FORMAT, cell->number);
}

static char *format_head(const HieraColumn *column)
{
    const char *unit = column->type == HIERA_CELL_SECONDS ? " [s]" : column->type == HIERA_CELL_PERCENT ? " [%]" : "";
    return g_strconcat(column->name, unit, NULL);
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

static glong width_of_line(FILE *stream)
{
    struct winsize size;
    if (!isatty(fileno(stream)) || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col < TERMINAL_WIDTH / 2)
        return TERMINAL_WIDTH;
    return size.ws_col;
}

/* How wide the row is; the text columns at most `text` each. */
static glong total_width(const Layout *layout, const HieraColumn *columns, glong text)
{
    glong total = -GAP;
    for (guint i = 0; i < layout->n; i++) {
        guint column = layout->columns[i];
        glong width = layout->widths[column];
        total += GAP + (hiera_cell_is_text(&columns[column]) ? MIN(width, text) : width);
    }
    return total;
}

/* Leave out columns of detail, from the right, until the others have room. */
static void choose_columns(Layout *layout, const HieraColumn *columns)
{
    for (guint i = layout->n; i-- > 0 && total_width(layout, columns, READABLE) > layout->line;) {
        if (columns[layout->columns[i]].role != HIERA_ROLE_DETAIL)
            continue;
        memmove(layout->columns + i, layout->columns + i + 1, (layout->n - i - 1) * sizeof *layout->columns);
        layout->n--;
    }
}

/* Narrow the widest text column by what is too much, until the row fits or nothing can be narrowed. */
static void fit_widths(Layout *layout, const HieraColumn *columns)
{
    glong total, *widest;
    while ((total = total_width(layout, columns, G_MAXLONG)) > layout->line) {
        widest = NULL;
        for (guint i = 0; i < layout->n; i++) {
            glong *width = &layout->widths[layout->columns[i]];
            if (hiera_cell_is_text(&columns[layout->columns[i]]) && *width > NARROWEST && (!widest || *width > *widest))
                widest = width;
        }
        if (!widest)
            return;
        *widest = MAX(MAX(NARROWEST, *widest / 2), *widest - (total - layout->line));
    }
}

static Layout lay_out(const HieraTable *table, const HieraColumn *columns, guint n_columns, FILE *stream)
{
    Layout layout = {g_new(guint, n_columns), n_columns, measure_widths(table, columns, n_columns),
                     width_of_line(stream)};
    for (guint i = 0; i < n_columns; i++)
        layout.columns[i] = i;
    choose_columns(&layout, columns);
    fit_widths(&layout, columns);
    return layout;
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

/* One line; the head if there are no cells. */
static void write_line(const Layout *layout, const HieraColumn *columns, const HieraCell *cells, FILE *stream)
{
    for (guint i = 0; i < layout->n; i++) {
        const HieraColumn *column = &columns[layout->columns[i]];
        write_cell(cells ? format_cell(column, &cells[layout->columns[i]]) : format_head(column),
                   layout->widths[layout->columns[i]], hiera_cell_is_text(column), i + 1 == layout->n, stream);
    }
}

void hiera_table_write_text(const HieraTable *table, gboolean title, FILE *stream)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    Layout layout = lay_out(table, columns, n_columns, stream);
    if (title)
        fprintf(stream, "%s:\n", hiera_table_peek_title(table));
    write_line(&layout, columns, NULL, stream);
    for (guint row = 0; row < hiera_table_count(table); row++)
        write_line(&layout, columns, hiera_table_peek_row(table, row), stream);
    g_free(layout.columns);
    g_free(layout.widths);
}
