/* See terminal_layout.h. */
#include "terminal_layout.h"
#include "terminal_cell.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Widths in characters. */
#define TERMINAL_WIDTH 80 /* of a terminal whose width is not known */
#define LEAST_WIDTH    40 /* of a line, however narrow the terminal is */
#define GAP            2
#define NARROWEST      8   /* of a text column that is shortened */
#define READABLE       24  /* details are left out until each text column can be so wide */
#define ALIGNED        200 /* of a text column if lines have any length; longer texts push their row aside */

/* Return COLUMNS, 0 if it is not set or not a number. */
static glong width_from_environment(void)
{
    guint64 width;
    const char *columns = g_getenv("COLUMNS");
    gboolean is_number = columns && g_ascii_string_to_unsigned(columns, 10, 1, G_MAXINT32, &width, NULL);
    return is_number ? (glong)width : 0;
}

static glong width_of_line(FILE *stream)
{
    struct winsize size = {0};
    glong width = width_from_environment();
    if (width == 0 && !isatty(fileno(stream)))
        return G_MAXLONG;
    if (width == 0)
        width = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : TERMINAL_WIDTH;
    return MAX(width, LEAST_WIDTH);
}

static glong measure_texts(const HieraTable *table, guint column, const HieraColumn *of)
{
    glong width = 0;
    for (guint row = 0, n = hiera_table_count(table); row < n; row++) {
        g_autofree char *text = hiera_terminal_text(of, &hiera_table_peek_row(table, row)[column]);
        width = MAX(width, g_utf8_strlen(text, -1));
    }
    return width;
}

/* Return the width of the widest number of a column, which is the least or the greatest one. */
static glong measure_numbers(const HieraTable *table, guint column, const HieraColumn *of, gboolean brief)
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
        glong length = (glong)hiera_terminal_number(number, of, &ends[i], brief);
        width = MAX(width, length);
    }
    return width;
}

/* Find the widths of all columns. For a brief layout only columns of numbers are measured again. */
static void measure_widths(HieraLayout *layout, const HieraTable *table, const HieraColumn *columns, guint n_columns)
{
    for (guint i = 0; i < n_columns; i++) {
        g_autofree char *head = hiera_terminal_head(&columns[i], layout->brief);
        glong width = g_utf8_strlen(head, -1);
        if (!hiera_cell_is_text(&columns[i]))
            layout->widths[i] = MAX(width, measure_numbers(table, i, &columns[i], layout->brief));
        else if (!layout->brief)
            layout->widths[i] =
                MAX(width, MIN(measure_texts(table, i, &columns[i]), layout->line == G_MAXLONG ? ALIGNED : G_MAXLONG));
    }
}

/* Return the width of a row if each text column is at most `text` wide. */
static glong total_width(const HieraLayout *layout, const HieraColumn *columns, glong text)
{
    glong total = -GAP;
    for (guint i = 0; i < layout->n; i++) {
        guint column = layout->columns[i];
        glong width = layout->widths[column];
        total += GAP + (hiera_cell_is_text(&columns[column]) ? MIN(width, text) : width);
    }
    return total;
}

static void leave_out(HieraLayout *layout, guint place)
{
    memmove(layout->columns + place, layout->columns + place + 1, (layout->n - place - 1) * sizeof *layout->columns);
    layout->n--;
}

/* Leave out columns of a role, from the right, until the row fits. */
static void leave_out_role(HieraLayout *layout, const HieraColumn *columns, HieraRole role)
{
    for (guint i = layout->n; i-- > 0 && total_width(layout, columns, READABLE) > layout->line;) {
        if (columns[layout->columns[i]].role == role)
            leave_out(layout, i);
    }
}

static gboolean has_details(const HieraColumn *columns, guint n_columns)
{
    for (guint i = 0; i < n_columns; i++) {
        if (columns[i].role == HIERA_ROLE_DETAIL || columns[i].role == HIERA_ROLE_TELLING)
            return TRUE;
    }
    return FALSE;
}

/* Make a layout brief if the row does not fit. Columns of details are left out only if rounding times is not
 * enough. */
static void make_room(HieraLayout *layout, const HieraTable *table, const HieraColumn *columns, guint n_columns)
{
    if (total_width(layout, columns, READABLE) <= layout->line || !has_details(columns, n_columns))
        return;
    layout->brief = TRUE;
    measure_widths(layout, table, columns, n_columns);
    leave_out_role(layout, columns, HIERA_ROLE_DETAIL);
    leave_out_role(layout, columns, HIERA_ROLE_TELLING);
}

/* Narrow the widest text column, again and again, until the row fits or all text columns are as narrow as allowed. */
static void fit_widths(HieraLayout *layout, const HieraColumn *columns)
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

HieraLayout hiera_layout_make(const HieraTable *table, FILE *stream)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    HieraLayout layout = {.columns = g_new(guint, n_columns),
                          .n = n_columns,
                          .widths = g_new0(glong, n_columns),
                          .line = width_of_line(stream)};
    for (guint i = 0; i < n_columns; i++)
        layout.columns[i] = i;
    measure_widths(&layout, table, columns, n_columns);
    layout.needed = total_width(&layout, columns, G_MAXLONG);
    make_room(&layout, table, columns, n_columns);
    fit_widths(&layout, columns);
    return layout;
}

void hiera_layout_clear(HieraLayout *layout)
{
    g_free(layout->columns);
    g_free(layout->widths);
}

static gboolean is_shown(const HieraLayout *layout, guint column)
{
    for (guint i = 0; i < layout->n; i++) {
        if (layout->columns[i] == column)
            return TRUE;
    }
    return FALSE;
}

void hiera_layout_write_note(const HieraLayout *layout, const HieraTable *table, FILE *stream)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    g_autoptr(GString) hidden = g_string_new(NULL);
    for (guint i = 0; i < n_columns; i++) {
        if (!is_shown(layout, i))
            g_string_append_printf(hidden, "%s%s", hidden->len ? ", " : "", columns[i].name);
    }
    if (!layout->brief)
        return;
    fprintf(stream, "Times in seconds");
    for (guint i = 0; i < n_columns; i++) {
        if (columns[i].type == HIERA_CELL_PERCENT && is_shown(layout, i))
            fprintf(stream, ", %s in percent", columns[i].name);
    }
    fputc('.', stream);
    if (hidden->len > 0)
        fprintf(stream, " Hidden: %s.\nTo see them: COLUMNS=%ld, --columns NAME,… or --format csv.", hidden->str,
                layout->needed);
    fputc('\n', stream);
}
