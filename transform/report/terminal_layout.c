#include "terminal_layout.h"
#include "base/parse_numbers.h"
#include "base/text_width.h"
#include "parallel/parallel.h"
#include "shorten.h"
#include "terminal_cell.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Widths of lines and columns in characters. */
#define TERMINAL_WIDTH 80  /* assumed width of a terminal if it is not known */
#define LEAST_WIDTH    40  /* least width of a line, however narrow the terminal is */
#define GAP            2   /* blanks between two columns; 1 if the line would be too long otherwise */
#define NARROWEST      8   /* least width of a column of shortened texts, or of bars */
#define READABLE       24  /* details are left out until each text column can be so wide */
#define READABLE_PATH  30  /* details are left out until each column of call paths can be so wide */
#define NAME           20  /* sums are left out until text columns can show their names, up to this width */
#define ALIGNED        200 /* greatest width of a text column if lines have any length; longer texts shift their row */

/* Return the environment variable COLUMNS; 0 if it is not set or no number. */
static glong width_from_environment(void)
{
    gint64 width;
    const char *columns = g_getenv("COLUMNS");
    gboolean is_number = columns && hiera_number_parse_between(columns, strlen(columns), 1, G_MAXINT32, &width);
    return is_number ? (glong)width : 0;
}

glong hiera_line_width(FILE *stream)
{
    struct winsize size = {0};
    glong width = width_from_environment();
    if (width == 0 && (hiera_parallel_is_launched() || !isatty(fileno(stream))))
        return G_MAXLONG;
    if (width == 0)
        width = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : TERMINAL_WIDTH;
    return MAX(width, LEAST_WIDTH);
}

/* Set the width of a column of texts, and the widths to which its texts can be shortened. */
static void measure_texts(HieraLayout *layout, const HieraTable *table, guint column, const HieraColumn *of)
{
    glong width = 0;
    for (guint row = 0, n = hiera_table_count(table); row < n; row++) {
        g_autofree char *text = hiera_terminal_text(of, &hiera_table_peek_row(table, row)[column]);
        width = MAX(width, hiera_text_width(text, -1));
        if (!layout->brief || of->type == HIERA_CELL_BAR)
            continue;
        layout->least[column] = MAX(layout->least[column], hiera_name_least_width(text));
        layout->good[column] = MAX(layout->good[column], hiera_terminal_good_width(of, text));
    }
    layout->good[column] = MAX(layout->least[column], MIN(layout->good[column], NAME));
    layout->widths[column] = MAX(layout->widths[column], layout->brief ? width : MIN(width, ALIGNED));
}

static glong measure_number(gint64 number, const HieraColumn *of, gboolean brief)
{
    char buffer[HIERA_NUMBER_BYTES];
    return hiera_terminal_number(buffer, of, &(HieraCell){.number = number}, brief);
}

/* Return the width of the widest number of a column. Of exact numbers, only the smallest and the greatest can be the
 * widest. */
static glong measure_numbers(const HieraTable *table, guint column, const HieraColumn *of, gboolean brief)
{
    gint64 least = G_MAXINT64, greatest = G_MININT64;
    glong width = 0;
    guint n = hiera_table_count(table);
    for (guint row = 0; row < n; row++) {
        const HieraCell *cell = &hiera_table_peek_row(table, row)[column];
        gboolean unknown = hiera_cell_is_unknown(of, cell);
        if (brief || unknown)
            width = MAX(width, measure_number(cell->number, of, TRUE));
        if (unknown)
            continue;
        least = MIN(least, cell->number);
        greatest = MAX(greatest, cell->number);
    }
    if (brief || greatest < least)
        return width;
    return MAX(width, MAX(measure_number(least, of, FALSE), measure_number(greatest, of, FALSE)));
}

/* Set the widths of all columns in the layout. */
static void measure_widths(HieraLayout *layout, const HieraTable *table, const HieraColumn *columns, guint n_columns)
{
    for (guint i = 0; i < n_columns; i++) {
        g_autofree char *head = hiera_terminal_head(&columns[i], layout->brief);
        layout->widths[i] = hiera_text_width(head, -1);
        layout->least[i] = MAX(NARROWEST, layout->widths[i]);
        if (hiera_cell_is_drawn(&columns[i]))
            measure_texts(layout, table, i, &columns[i]);
        else
            layout->widths[i] = MAX(layout->widths[i], measure_numbers(table, i, &columns[i], layout->brief));
    }
}

/* How much columns are narrowed: not; texts, still readable; bars, too; texts down to names; as much as possible. */
typedef enum { IN_FULL, READABLY, WITH_SHORT_BARS, TO_NAMES, AS_FAR_AS_CAN_BE } Shortened;

/* Return the width to which column `at` is narrowed; G_MAXLONG: it is not. */
static glong shortened(const HieraLayout *layout, guint at, const HieraColumn *column, Shortened how)
{
    if (how == IN_FULL || !hiera_cell_is_drawn(column) || (how == READABLY && column->type == HIERA_CELL_BAR))
        return G_MAXLONG;
    if (how == AS_FAR_AS_CAN_BE)
        return layout->least[at];
    if (how == TO_NAMES || column->type == HIERA_CELL_BAR)
        return layout->good[at];
    return hiera_cell_is_path(column) ? READABLE_PATH : READABLE;
}

/* Return the width of a row whose columns are narrowed in this way. */
static glong total_width(const HieraLayout *layout, const HieraColumn *columns, Shortened how)
{
    glong total = -layout->gap;
    for (guint i = 0; i < layout->n; i++) {
        guint at = layout->columns[i];
        total += layout->gap + MIN(layout->widths[at], shortened(layout, at, &columns[at], how));
    }
    return total;
}

static void leave_out(HieraLayout *layout, guint place)
{
    memmove(layout->columns + place, layout->columns + place + 1, (layout->n - place - 1) * sizeof *layout->columns);
    layout->n--;
}

/* Whether any row has a cell in this column that is neither empty nor 0. */
static gboolean tells(const HieraTable *table, guint column, const HieraColumn *of)
{
    for (guint row = 0, n = hiera_table_count(table); row < n; row++) {
        const HieraCell *cell = &hiera_table_peek_row(table, row)[column];
        if (hiera_cell_is_text(of) ? *cell->text != '\0' : cell->number != 0 && !hiera_cell_is_unknown(of, cell))
            return TRUE;
    }
    return FALSE;
}

/* Whether a column does not apply to this run, or with this word of --by: a share that is unknown in all rows, or,
 * where lines are short, a text that is empty. */
static gboolean is_blank(const HieraTable *table, guint column, const HieraColumn *of, gboolean brief)
{
    gboolean is_share = of->type == HIERA_CELL_PERCENT && of->role == HIERA_ROLE_DETAIL;
    gboolean is_text = hiera_cell_is_text(of) && (of->role == HIERA_ROLE_KEY || of->role == HIERA_ROLE_DETAIL);
    return (is_share || (is_text && brief)) && !hiera_table_is_chosen(table) && !tells(table, column, of);
}

/* Leave out columns of a role, from the right, until a row fits. Doubts that are empty or 0 are left out as details. */
static void leave_out_role(HieraLayout *layout, const HieraTable *table, const HieraColumn *columns, HieraRole role)
{
    Shortened how = role == HIERA_ROLE_DETAIL ? READABLY : WITH_SHORT_BARS;
    for (guint i = layout->n; i-- > 0 && total_width(layout, columns, how) > layout->line;) {
        guint column = layout->columns[i];
        HieraRole own = columns[column].role;
        if (own == HIERA_ROLE_DOUBT && !tells(table, column, &columns[column]))
            own = HIERA_ROLE_DETAIL;
        if (own == role)
            leave_out(layout, i);
    }
}

/* Order in which sums and answers are left out: counts first, then bytes, times, and answers last. */
enum { NO_SUM, COUNT, BYTES, TIME, ANSWER };
static guint turn_of(const HieraColumn *column)
{
    if (column->role != HIERA_ROLE_SUM)
        return column->role == HIERA_ROLE_ANSWER ? ANSWER : NO_SUM;
    if (column->type == HIERA_CELL_INTEGER)
        return COUNT;
    return column->type == HIERA_CELL_BYTES ? BYTES : TIME;
}

static guint count_sums(const HieraLayout *layout, const HieraColumn *columns)
{
    guint n = 0;
    for (guint i = 0; i < layout->n; i++)
        n += turn_of(&columns[layout->columns[i]]) != NO_SUM;
    return n;
}

/* Leave out sums and answers, all but one, until names fit: in the order of turn_of, and from the right. */
static void leave_out_sums(HieraLayout *layout, const HieraColumn *columns)
{
    guint n = count_sums(layout, columns);
    for (guint turn = COUNT; turn <= ANSWER; turn++) {
        for (guint i = layout->n; i-- > 0 && n > 1 && total_width(layout, columns, TO_NAMES) > layout->line;) {
            if (turn_of(&columns[layout->columns[i]]) != turn)
                continue;
            leave_out(layout, i);
            n--;
        }
    }
}

/* Bring columns closer together, then leave out keys from the right, all but the first column, until the row fits. */
static void leave_out_keys(HieraLayout *layout, const HieraColumn *columns)
{
    if (total_width(layout, columns, AS_FAR_AS_CAN_BE) > layout->line)
        layout->gap = 1;
    for (guint i = layout->n; i-- > 1 && total_width(layout, columns, AS_FAR_AS_CAN_BE) > layout->line;) {
        if (columns[layout->columns[i]].role == HIERA_ROLE_KEY)
            leave_out(layout, i);
    }
}

/* Make the widest column of texts or bars narrower, repeatedly, until the row fits or all are as narrow as
 * `floor`. */
static void fit_widths(HieraLayout *layout, const HieraColumn *columns, const glong *floor)
{
    glong total;
    while ((total = total_width(layout, columns, IN_FULL)) > layout->line) {
        guint widest = HIERA_NONE;
        for (guint i = 0; i < layout->n; i++) {
            guint column = layout->columns[i];
            if (hiera_cell_is_drawn(&columns[column]) && layout->widths[column] > floor[column] &&
                (widest == HIERA_NONE || layout->widths[column] > layout->widths[widest]))
                widest = column;
        }
        if (widest == HIERA_NONE)
            return;
        glong *width = &layout->widths[widest];
        *width = MAX(MAX(floor[widest], *width / 2), *width - (total - layout->line));
    }
}

/* Shorten all bars in proportion if their column was narrowed. */
static void fit_bars(HieraLayout *layout, const HieraTable *table, const HieraColumn *columns)
{
    for (guint i = 0; i < layout->n; i++) {
        guint at = layout->columns[i];
        if (columns[at].type != HIERA_CELL_BAR)
            continue;
        glong narrowed = layout->widths[at];
        layout->widths[at] = 0;
        measure_texts(layout, table, at, &columns[at]);
        if (layout->widths[at] > MAX(narrowed, 0))
            layout->bar = HIERA_BAR_WIDTH * narrowed / layout->widths[at];
        layout->widths[at] = narrowed;
    }
}

HieraLayout hiera_layout_make(const HieraTable *table, FILE *stream)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    HieraLayout layout = {.columns = g_new(guint, n_columns),
                          .widths = g_new0(glong, n_columns),
                          .good = g_new0(glong, n_columns),
                          .least = g_new0(glong, n_columns),
                          .bar = HIERA_BAR_WIDTH,
                          .gap = GAP,
                          .line = hiera_line_width(stream)};
    layout.brief = layout.line != G_MAXLONG;
    for (guint i = 0; i < n_columns; i++) {
        if (columns[i].type == HIERA_CELL_SENTENCE)
            continue;
        if (!is_blank(table, i, &columns[i], layout.brief) && (layout.brief || columns[i].type != HIERA_CELL_BAR))
            layout.columns[layout.n++] = i;
    }
    measure_widths(&layout, table, columns, n_columns);
    layout.needed = total_width(&layout, columns, IN_FULL);
    leave_out_role(&layout, table, columns, HIERA_ROLE_DETAIL);
    leave_out_role(&layout, table, columns, HIERA_ROLE_TELLING);
    leave_out_sums(&layout, columns);
    leave_out_keys(&layout, columns);
    fit_widths(&layout, columns, layout.good);
    fit_widths(&layout, columns, layout.least);
    fit_bars(&layout, table, columns);
    return layout;
}

void hiera_layout_clear(HieraLayout *layout)
{
    g_free(layout->columns);
    g_free(layout->widths);
    g_free(layout->good);
    g_free(layout->least);
}

static gboolean is_shown(const HieraLayout *layout, guint column)
{
    for (guint i = 0; i < layout->n; i++) {
        if (layout->columns[i] == column)
            return TRUE;
    }
    return FALSE;
}

static void write_words(const HieraLayout *layout, const char *text, FILE *stream)
{
    g_autoptr(GString) lines = g_string_new(NULL);
    hiera_terminal_wrap(lines, text, 0, GAP, layout->line);
    fputs(lines->str, stream);
}

/* Return the names of the columns that are left out, to be freed with g_free; NULL: none are. */
static char *name_hidden(const HieraLayout *layout, const HieraTable *table)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < n_columns; i++) {
        gboolean hides = columns[i].type != HIERA_CELL_BAR && columns[i].type != HIERA_CELL_SENTENCE;
        if (hides && !is_shown(layout, i) && !is_blank(table, i, &columns[i], TRUE))
            g_string_append_printf(text, "%s%s", text->len ? ", " : "Hidden: ", columns[i].name);
    }
    return text->len ? g_strconcat(text->str, ".", NULL) : NULL;
}

void hiera_layout_write_note(const HieraLayout *layout, const HieraTable *table, FILE *stream)
{
    guint left_out = hiera_table_count_left_out(table);
    if (left_out > 0 && layout->brief)
        fprintf(stream, "… %u more row%s; without --top: all\n", left_out, left_out == 1 ? "" : "s");
    g_autofree char *hidden = name_hidden(layout, table);
    if (hidden) {
        g_autofree char *how =
            g_strdup_printf("To see them: COLUMNS=%ld, --columns NAME,… or --format csv.", layout->needed);
        write_words(layout, hidden, stream);
        write_words(layout, how, stream);
    }
}
