/* Answers for people: aligned columns on a terminal, of 80 characters if it does not say otherwise. Sums have their
 * thousands apart; what is too wide loses its columns of detail, and then texts lose their middle, the widest first. */
#include "table.h"
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TERMINAL_WIDTH 80
#define GAP            2
#define NARROWEST      8     /* of a text column that is shortened */
#define READABLE       24    /* of a text column for which columns of detail make room */
#define LINES_BYTES    65536 /* written at once */
#define INDENT_MAX     12    /* blanks before a step of a path, one for each before it */

/* The columns that are shown, and how wide. */
typedef struct {
    guint *columns, n;
    glong *widths;
    glong line;
} Layout;

/* 1234567 → 1,234,567, in its place; @return the new length */
static gsize group_thousands(char *number, gsize length)
{
    char *first = number + (*number == '-');
    gsize n = length - (gsize)(first - number), commas = (n - 1) / 3;
    char *to = first + n + commas;
    for (gsize i = 0; i <= n; i++) {
        *to-- = first[n - i];
        if (i > 0 && i % 3 == 0 && i < n)
            *to-- = ',';
    }
    return length + commas;
}

/* @return the length */
static gsize format_number(char *number, const HieraColumn *column, const HieraCell *cell)
{
    gsize length = hiera_cell_format(number, column, cell);
    gboolean grouped = column->type == HIERA_CELL_INTEGER && column->role != HIERA_ROLE_KEY;
    return grouped ? group_thousands(number, length) : length;
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

/* Of a column of texts. */
static char *format_text(const HieraColumn *column, const HieraCell *cell)
{
    return column->type == HIERA_CELL_PATH ? format_path(cell->text) : hiera_text_printable(cell->text);
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

static glong measure_texts(const HieraTable *table, guint column, const HieraColumn *of)
{
    glong width = 0;
    for (guint row = 0, n = hiera_table_count(table); row < n; row++) {
        g_autofree char *text = format_text(of, &hiera_table_peek_row(table, row)[column]);
        width = MAX(width, g_utf8_strlen(text, -1));
    }
    return width;
}

/* The least number or the greatest is the widest. */
static glong measure_numbers(const HieraTable *table, guint column, const HieraColumn *of)
{
    char number[HIERA_NUMBER_BYTES];
    HieraCell ends[] = {{.number = G_MAXINT64}, {.number = G_MININT64}};
    glong width = 0;
    for (guint row = 0, n = hiera_table_count(table); row < n; row++) {
        gint64 value = hiera_table_peek_row(table, row)[column].number;
        ends[0].number = MIN(ends[0].number, value);
        ends[1].number = MAX(ends[1].number, value);
    }
    for (guint i = 0; hiera_table_count(table) > 0 && i < G_N_ELEMENTS(ends); i++) {
        glong length = (glong)format_number(number, of, &ends[i]);
        width = MAX(width, length);
    }
    return width;
}

static glong *measure_widths(const HieraTable *table, const HieraColumn *columns, guint n_columns)
{
    glong *widths = g_new0(glong, n_columns);
    for (guint i = 0; i < n_columns; i++) {
        g_autofree char *head = format_head(&columns[i]);
        glong width = hiera_cell_is_text(&columns[i]) ? measure_texts(table, i, &columns[i])
                                                      : measure_numbers(table, i, &columns[i]);
        widths[i] = MAX(width, g_utf8_strlen(head, -1));
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

static void append_blanks(GString *line, glong n)
{
    for (; n > 0; n--)
        g_string_append_c(line, ' ');
}

/* Texts stand left, numbers right. */
static void append_text(GString *line, char *owned, glong width, gboolean left, gboolean last)
{
    g_autofree char *text = shorten(owned, width);
    glong blanks = width - g_utf8_strlen(text, -1);
    append_blanks(line, left ? 0 : blanks);
    g_string_append(line, text);
    append_blanks(line, left && !last ? blanks : 0);
}

static void append_number(GString *line, const HieraColumn *column, const HieraCell *cell, glong width)
{
    char number[HIERA_NUMBER_BYTES];
    gsize length = format_number(number, column, cell);
    append_blanks(line, width - (glong)length);
    g_string_append_len(line, number, (gssize)length);
}

/* One line; the head if there are no cells. */
static void append_line(GString *lines, const Layout *layout, const HieraColumn *columns, const HieraCell *cells)
{
    for (guint i = 0; i < layout->n; i++) {
        guint place = layout->columns[i];
        const HieraColumn *column = &columns[place];
        gboolean left = hiera_cell_is_text(column), last = i + 1 == layout->n;
        if (!cells || left)
            append_text(lines, cells ? format_text(column, &cells[place]) : format_head(column), layout->widths[place],
                        left, last);
        else
            append_number(lines, column, &cells[place], layout->widths[place]);
        g_string_append(lines, last ? "\n" : "  ");
    }
}

/* Hand lines over, many at a time. */
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
    Layout layout = lay_out(table, columns, n_columns, stream);
    GString *lines = g_string_new(NULL);
    if (title)
        fprintf(stream, "%s:\n", hiera_table_peek_title(table));
    append_line(lines, &layout, columns, NULL);
    for (guint row = 0, n = hiera_table_count(table); row < n; row++) {
        append_line(lines, &layout, columns, hiera_table_peek_row(table, row));
        flush_lines(lines, LINES_BYTES, stream);
    }
    flush_lines(lines, 1, stream);
    g_string_free(lines, TRUE);
    g_free(layout.columns);
    g_free(layout.widths);
}
