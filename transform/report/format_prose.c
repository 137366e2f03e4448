/* Writes an answer in sentences: the topic on the left, beside it the sentences, broken at the width of the line. */
#include "terminal_cell.h"
#include "terminal_layout.h"
#include <string.h>

enum {
    TOPIC_WIDTH = 12,
    BAR_COLUMN = 30,  /* of a bar, from the begin of its sentence */
    PAPER_WIDTH = 80, /* of a line in a pipe or a file */
    WIDEST = 100      /* longer lines are hard to read */
};

enum { TOPIC, SENTENCE, BAR, MORE };

static void write_blanks(glong n, FILE *stream)
{
    for (; n > 0; n--)
        fputc(' ', stream);
}

/* Return how many bytes of a text fit into a width: up to the last blank that does, or its first word. */
static gsize fit(const char *text, glong width)
{
    const char *end = text, *at = text;
    for (glong n = 0; *at && (n <= width || end == text); at = g_utf8_next_char(at), n++) {
        if (*at == ' ')
            end = at;
    }
    return *at || g_utf8_strlen(text, -1) > width ? (gsize)((end == text ? at : end) - text) : strlen(text);
}

/* Write a text; lines behind the first one begin below it. */
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
    write_blanks(new_topic ? TOPIC_WIDTH - g_utf8_strlen(topic, -1) : TOPIC_WIDTH, stream);
    if (cells[BAR].number < 0) {
        write_wrapped(sentence, width - TOPIC_WIDTH, stream);
        return;
    }
    g_autofree char *bar = hiera_terminal_text(&columns[BAR], &cells[BAR]);
    fputs(sentence, stream);
    write_blanks(BAR_COLUMN - g_utf8_strlen(sentence, -1), stream);
    fprintf(stream, "%s\n", bar);
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
        if (*cells[MORE].text) {
            write_blanks(TOPIC_WIDTH, stream);
            fprintf(stream, "more: %s\n", cells[MORE].text);
        }
    }
}
