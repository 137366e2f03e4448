/* See terminal_cell.h. */
#include "terminal_cell.h"
#include <string.h>

#define INDENT_MAX 12 /* a step of a tree is indented by one blank for each step before it, up to this */
#define STEP       " > "
#define DIGITS_MAX 20     /* of a number that is kept whole */
#define FULL_BLOCK 0x2588 /* behind it, the left seven to one eighths of a block */

glong hiera_terminal_number(char *buffer, const HieraColumn *column, const HieraCell *cell, gboolean brief)
{
    if (brief && column->type == HIERA_CELL_SECONDS)
        hiera_time_format(buffer, cell->number);
    else if (brief && column->type == HIERA_CELL_BYTES)
        hiera_bytes_format(buffer, cell->number);
    else if (brief && column->type == HIERA_CELL_PERCENT)
        hiera_percent_format(buffer, cell->number);
    else {
        gsize length = hiera_cell_format(buffer, column, cell);
        gboolean whole = column->type == HIERA_CELL_INTEGER || column->type == HIERA_CELL_BYTES;
        return (glong)(whole && column->role != HIERA_ROLE_KEY ? hiera_thousands_separate(buffer, length) : length);
    }
    return g_utf8_strlen(buffer, -1);
}

/* Return the last step of a path, indented by its depth: steps a, b, c → "  c". To be freed with g_free. */
static char *show_step(const char *path)
{
    const char *last = path;
    int depth = 0;
    for (const char *at = path; (at = strchr(at, HIERA_PATH_SEPARATOR)); depth++)
        last = ++at;
    g_autofree char *step = hiera_text_printable(last);
    return g_strdup_printf("%*s%s", MIN(depth, INDENT_MAX), "", step);
}

/* Draw a share of HIERA_BAR_WIDTH characters, to an eighth of one. To be freed with g_free. */
static char *draw_bar(gint64 share)
{
    gint64 eighths = MIN(share, 10000) * HIERA_BAR_WIDTH * 8 / 10000;
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
        return draw_bar(cell->number);
    if (column->type == HIERA_CELL_PATH)
        return show_step(cell->text);
    g_autofree char *joined = column->type == HIERA_CELL_CALLERS ? hiera_text_path(cell->text) : NULL;
    return hiera_text_printable(joined ? joined : cell->text);
}

/* Return the end of a text that is wider than `width` - 1 characters, to be freed with g_free. A number that would
 * lose its first digits is left out, unless it is the end of the text.
 * @param before  written first, with the width of `indent` characters */
static char *keep_end(const char *text, int indent, glong width)
{
    const char *cut = g_utf8_offset_to_pointer(text, g_utf8_strlen(text, -1) - MAX(width - 1 - indent, 0));
    const char *number_end = cut;
    if (cut > text && g_ascii_isdigit(cut[-1]))
        number_end += strspn(cut, "0123456789");
    return g_strdup_printf("%*s…%s", indent, "", *number_end ? number_end : cut);
}

/* Return the last steps of a path, to be freed with g_free: "… > exchange ring.c:16 > wait ring.c:21". */
static char *keep_steps(const char *path, glong width)
{
    const char *last = path;
    for (const char *at = path; (at = strstr(at, STEP)); at = last = at + strlen(STEP)) {
        if (g_utf8_strlen(at, -1) + 1 <= width)
            return g_strconcat("…", at, NULL);
    }
    if (last > path && g_utf8_strlen(last, -1) + 1 <= width)
        return g_strconcat("…", last, NULL);
    return keep_end(last, 0, width);
}

char *hiera_terminal_fit(const HieraColumn *column, char *text, glong width)
{
    if (g_utf8_strlen(text, -1) <= width)
        return text;
    g_autofree char *whole = text;
    if (column->type == HIERA_CELL_CALLERS)
        return keep_steps(whole, width);
    int indent = column->type == HIERA_CELL_PATH ? (int)MIN(strspn(whole, " "), INDENT_MAX) : 0;
    indent = (int)CLAMP(width - hiera_terminal_least_width(whole), 0, indent);
    return keep_end(whole, indent, width);
}

glong hiera_terminal_least_width(const char *text)
{
    const char *end = text + strlen(text), *number = end;
    while (number > text && g_ascii_isdigit(number[-1]))
        number--;
    return 1 + MIN(end - number, DIGITS_MAX);
}

char *hiera_terminal_head(const HieraColumn *column, gboolean brief)
{
    const char *unit = column->type == HIERA_CELL_SECONDS ? " [s]" : column->type == HIERA_CELL_PERCENT ? " [%]" : "";
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
        glong length = g_utf8_strlen(*word, -1);
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
