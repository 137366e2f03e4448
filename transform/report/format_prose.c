/* Writes an answer in sentences: topics on the left, beside each its sentences, broken at the width of the line. */
#include "base/text_width.h"
#include "shorten.h"
#include "terminal_cell.h"
#include "terminal_layout.h"
#include <string.h>

enum {
    TOPIC_WIDTH = 12,
    BAR_COLUMN = 30,  /* column where bars begin, counted from the begin of the sentence */
    PAPER_WIDTH = 80, /* width of a line in characters in a pipe or a file */
    WIDEST = 100      /* greatest width of a line in characters, as longer lines are hard to read */
};

enum { TOPIC, SENTENCE, BAR, MORE };

static void write_blanks(glong n, FILE *stream)
{
    for (; n > 0; n--)
        fputc(' ', stream);
}

/* Whether a line may be broken at a blank: not between a number and its unit. */
static gboolean may_break(const char *text, const char *blank)
{
    static const char *const units[] = {"%", "ns", "µs", "ms", "s", "B", "kB", "MB", "GB", "TB"};
    gboolean number = blank > text && g_ascii_isdigit(blank[-1]);
    for (guint i = 0; number && i < G_N_ELEMENTS(units); i++) {
        if (g_str_has_prefix(blank + 1, units[i]) && !g_ascii_isalnum(blank[1 + strlen(units[i])]))
            return FALSE;
    }
    return TRUE;
}

/* Return how many bytes of a text fit into `width` characters: up to a blank, but at least the first word. */
static gsize fit(const char *text, glong width)
{
    const char *end = text, *at = text;
    for (glong n = 0; *at && (n <= width || end == text); at = g_utf8_next_char(at)) {
        if (*at == ' ' && may_break(text, at))
            end = at;
        n += hiera_text_width(at, g_utf8_next_char(at) - at);
    }
    return *at || hiera_text_width(text, -1) > width ? (gsize)((end == text ? at : end) - text) : strlen(text);
}

void hiera_prose_gather_more(GPtrArray *mores, const char *more)
{
    if (*more && !g_ptr_array_find_with_equal_func(mores, more, g_str_equal, NULL))
        g_ptr_array_add(mores, (gpointer)more);
}

char *hiera_prose_join_more(GPtrArray *mores)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < mores->len; i++)
        g_string_append_printf(text, "%s%s", i == 0 ? "more: " : ", ", (const char *)g_ptr_array_index(mores, i));
    return g_string_free(text, FALSE);
}

static gboolean has_word_wider_than_line(const char *text)
{
    gboolean has = FALSE;
    for (const char *end; *text && !has; text = end + strspn(end, " ")) {
        end = text + strcspn(text, " ");
        has = hiera_text_width(text, end - text) > PAPER_WIDTH - TOPIC_WIDTH;
    }
    return has;
}

char *hiera_prose_shorten(const char *sentence)
{
    g_autofree char *shorter = hiera_name_leave_parameters(sentence);
    return has_word_wider_than_line(shorter) ? hiera_name_leave_arguments(shorter) : g_steal_pointer(&shorter);
}

guint hiera_prose_count_lines(const char *sentence)
{
    g_autofree char *text = hiera_text_printable(sentence);
    guint n = 1;
    for (const char *at = text + fit(text, PAPER_WIDTH - TOPIC_WIDTH); *(at += strspn(at, " ")); n++)
        at += fit(at, PAPER_WIDTH - TOPIC_WIDTH);
    return n;
}

/* Write a text in lines of at most `width` characters; further lines are indented like the first. */
static void write_wrapped(const char *text, glong width, FILE *stream)
{
    for (gsize n; *text; text += n + strspn(text + n, " ")) {
        n = fit(text, width);
        fprintf(stream, "%.*s\n", (int)n, text);
        if (text[n] && text[n + strspn(text + n, " ")])
            write_blanks(TOPIC_WIDTH, stream);
    }
}

static void write_row(const HieraColumn *columns, const HieraCell *cells, gboolean new_topic, glong width, FILE *stream)
{
    g_autofree char *topic = hiera_text_printable(cells[TOPIC].text);
    g_autofree char *sentence = hiera_text_printable(cells[SENTENCE].text);
    if (new_topic)
        fputs(topic, stream);
    write_blanks(new_topic ? TOPIC_WIDTH - hiera_text_width(topic, -1) : TOPIC_WIDTH, stream);
    if (cells[BAR].number < 0) {
        write_wrapped(sentence, width - TOPIC_WIDTH, stream);
        return;
    }
    g_autofree char *bar = hiera_terminal_text(&columns[BAR], &cells[BAR]);
    fputs(sentence, stream);
    if (*bar && TOPIC_WIDTH + BAR_COLUMN + HIERA_BAR_WIDTH <= width) {
        write_blanks(BAR_COLUMN - hiera_text_width(sentence, -1), stream);
        fputs(bar, stream);
    }
    fputc('\n', stream);
}

/* Write the line "more: …" below the topic whose last row is `last`. */
static void write_more(const HieraTable *table, guint last, glong width, FILE *stream)
{
    guint row = last;
    const char *topic = hiera_table_peek_row(table, last)[TOPIC].text;
    g_autoptr(GPtrArray) mores = g_ptr_array_new();
    while (row > 0 && strcmp(hiera_table_peek_row(table, row - 1)[TOPIC].text, topic) == 0)
        row--;
    for (; row <= last; row++)
        hiera_prose_gather_more(mores, hiera_table_peek_row(table, row)[MORE].text);
    g_autofree char *text = hiera_prose_join_more(mores);
    if (!*text)
        return;
    write_blanks(TOPIC_WIDTH, stream);
    write_wrapped(text, width - TOPIC_WIDTH, stream);
}

void hiera_table_write_prose(const HieraTable *table, FILE *stream)
{
    guint n_columns, n = hiera_table_count(table);
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    glong width = hiera_line_width(stream);
    width = width == G_MAXLONG ? PAPER_WIDTH : MIN(width, WIDEST);
    const char *last = NULL;
    for (guint row = 0; row < n; row++) {
        const HieraCell *cells = hiera_table_peek_row(table, row);
        write_row(columns, cells, !last || strcmp(last, cells[TOPIC].text) != 0, width, stream);
        last = cells[TOPIC].text;
        if (row + 1 < n && strcmp(hiera_table_peek_row(table, row + 1)[TOPIC].text, last) == 0)
            continue;
        write_more(table, row, width, stream);
    }
}
