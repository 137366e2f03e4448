#include "terminal_cell.h"
#include "base/text_width.h"
#include "shorten.h"
#include <string.h>

#define INDENT_MAX 12     /* most blanks before a name in a tree, which has one blank per level */
#define FULL_BLOCK 0x2588 /* full block; the next seven characters are 7/8 to 1/8 of a block */

glong hiera_terminal_number(char *buffer, const HieraColumn *column, const HieraCell *cell, gboolean brief)
{
    if (hiera_cell_is_unknown(column, cell))
        return (glong)g_strlcpy(buffer, "unknown", HIERA_NUMBER_BYTES);
    if (brief && column->type == HIERA_CELL_SECONDS)
        hiera_time_format(buffer, cell->number);
    else if (brief && (column->type == HIERA_CELL_BYTES || column->type == HIERA_CELL_RATE))
        hiera_bytes_format(buffer, cell->number);
    else if (brief && column->type == HIERA_CELL_PERCENT)
        hiera_percent_format(buffer, cell->number);
    else {
        gsize length = hiera_cell_format(buffer, column, cell);
        gboolean whole =
            column->type == HIERA_CELL_INTEGER || column->type == HIERA_CELL_BYTES || column->type == HIERA_CELL_RATE;
        return (glong)(whole && column->role != HIERA_ROLE_KEY ? hiera_thousands_separate(buffer, length) : length);
    }
    if (brief && column->type == HIERA_CELL_RATE && cell->number != 0)
        g_strlcat(buffer, "/s", HIERA_NUMBER_BYTES);
    return hiera_text_width(buffer, -1);
}

/* Return the last name of a call path, with one blank per level before it: a, b, c → "  c". To be freed with g_free. */
static char *show_step(const char *path)
{
    const char *last = path;
    int depth = 0;
    for (const char *at = path; (at = strchr(at, HIERA_PATH_SEPARATOR)); depth++)
        last = ++at;
    g_autofree char *step = hiera_text_printable(last);
    return g_strdup_printf("%*s%s", MIN(depth, INDENT_MAX), "", step);
}

char *hiera_terminal_bar(gint64 share, glong width)
{
    gint64 eighths = CLAMP(share, 0, 10000) * width * 8 / 10000;
    GString *bar = g_string_new(NULL);
    for (eighths = share > 0 ? MAX(eighths, 1) : 0; eighths >= 8; eighths -= 8)
        g_string_append_unichar(bar, FULL_BLOCK);
    if (eighths > 0)
        g_string_append_unichar(bar, FULL_BLOCK + 8 - (gunichar)eighths);
    return g_string_free(bar, FALSE);
}

char *hiera_terminal_text(const HieraColumn *column, const HieraCell *cell)
{
    if (column->type == HIERA_CELL_BAR)
        return hiera_terminal_bar(cell->number, HIERA_BAR_WIDTH);
    if (column->type == HIERA_CELL_PATH)
        return show_step(cell->text);
    g_autofree char *joined = column->type == HIERA_CELL_CALLERS ? hiera_text_path(cell->text) : NULL;
    return hiera_text_printable(joined ? joined : cell->text);
}

char *hiera_terminal_fit(const HieraColumn *column, char *text, glong width)
{
    if (hiera_text_width(text, -1) <= width)
        return text;
    g_autofree char *whole = text;
    if (column->type == HIERA_CELL_CALLERS)
        return hiera_steps_shorten(whole, width);
    gsize blanks = column->type == HIERA_CELL_PATH ? MIN(strspn(whole, " "), INDENT_MAX) : 0;
    int indent = (int)CLAMP(width - hiera_name_least_width(whole), 0, (glong)blanks);
    g_autofree char *step = hiera_name_shorten(whole + blanks, width - indent);
    return g_strdup_printf("%*s%s", indent, "", step);
}

glong hiera_terminal_good_width(const HieraColumn *column, const char *text)
{
    glong blanks = column->type == HIERA_CELL_PATH ? (glong)strspn(text, " ") : 0;
    return blanks + hiera_name_good_width(text + blanks);
}

char *hiera_terminal_head(const HieraColumn *column, gboolean brief)
{
    const char *unit = column->type == HIERA_CELL_SECONDS   ? " [s]"
                       : column->type == HIERA_CELL_PERCENT ? " [%]"
                       : column->type == HIERA_CELL_RATE    ? " [B/s]"
                                                            : "";
    return g_strconcat(column->name, brief ? "" : unit, NULL);
}

void hiera_blanks_append(GString *line, glong n)
{
    for (; n > 0; n--)
        g_string_append_c(line, ' ');
}

void hiera_terminal_wrap(GString *lines, const char *text, glong first, glong rest, glong width)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    glong at = first;
    hiera_blanks_append(lines, first);
    for (char **word = words; *word; word++) {
        glong length = hiera_text_width(*word, -1);
        if (word > words && at + 1 + length > width) {
            g_string_append_c(lines, '\n');
            hiera_blanks_append(lines, rest);
            at = rest;
        } else if (word > words) {
            g_string_append_c(lines, ' ');
            at++;
        }
        g_string_append(lines, *word);
        at += length;
    }
    g_string_append_c(lines, '\n');
}
