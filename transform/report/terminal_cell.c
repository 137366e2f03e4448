/* See terminal_cell.h. */
#include "terminal_cell.h"
#include <string.h>

#define INDENT_MAX 12 /* a step of a path is indented by one blank for each step before it, up to this */

/* Separate thousands in place: 1234567 → 1,234,567. @return the new length */
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

/* Round nanoseconds to microseconds. */
static gint64 round_time(gint64 ns)
{
    gint64 rest = ns % 1000;
    return ns / 1000 + (rest >= 500) - (rest <= -500);
}

gsize hiera_terminal_number(char *buffer, const HieraColumn *column, const HieraCell *cell, gboolean brief)
{
    if (brief && column->type == HIERA_CELL_SECONDS)
        return hiera_decimal_format(buffer, round_time(cell->number), 6);
    gsize length = hiera_cell_format(buffer, column, cell);
    gboolean grouped = column->type == HIERA_CELL_INTEGER && column->role != HIERA_ROLE_KEY;
    return grouped ? group_thousands(buffer, length) : length;
}

/* Return the last step of a path, indented by its depth: steps a, b, c → "  c". To be freed with g_free. */
static char *show_path(const char *path)
{
    const char *last = path;
    int depth = 0;
    for (const char *at = path; (at = strchr(at, HIERA_PATH_SEPARATOR)); depth++)
        last = ++at;
    g_autofree char *step = hiera_text_printable(last);
    return g_strdup_printf("%*s%s", MIN(depth, INDENT_MAX), "", step);
}

char *hiera_terminal_text(const HieraColumn *column, const HieraCell *cell)
{
    if (column->type == HIERA_CELL_PATH)
        return show_path(cell->text);
    g_autofree char *whole = column->type == HIERA_CELL_CALLERS ? hiera_text_path(cell->text) : g_strdup(cell->text);
    return hiera_text_printable(whole);
}

char *hiera_terminal_head(const HieraColumn *column, gboolean brief)
{
    const char *unit = column->type == HIERA_CELL_SECONDS ? " [s]" : column->type == HIERA_CELL_PERCENT ? " [%]" : "";
    return g_strconcat(column->name, brief ? "" : unit, NULL);
}
