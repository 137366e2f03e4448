/* Formats an error with a caret: see hiera_expression_report(). */
#include "lexer.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BEFORE = 60, BEHIND = 40 }; /* number of characters of a long line that are shown before and behind the error */

typedef struct {
    char *to;
    size_t room, length;
} Output;

static __attribute__((format(printf, 2, 3))) void put(Output *output, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t left = output->room - output->length;
    int n = vsnprintf(output->to + output->length, left, format, arguments);
    va_end(arguments);
    if (n > 0)
        output->length += (size_t)n < left ? (size_t)n : left - 1;
}

/* The line of the text that contains the error, and its visible part. */
typedef struct {
    size_t begin, end;
    size_t shown_begin, shown_end;
    unsigned line, column; /* place of the error, both from 0; `column` in characters */
} Line;

static size_t next(const char *text, size_t length, size_t at)
{
    return at + hiera_character_length(text + at, length - at);
}

static Line find_line(const char *text, size_t length, size_t error_at)
{
    Line line = {0};
    for (size_t at = 0; at < error_at; at++) {
        if (text[at] == '\n') {
            line.begin = at + 1;
            line.line++;
        }
    }
    for (line.end = line.begin; line.end < length && text[line.end] != '\n';)
        line.end++;
    for (size_t at = line.begin; at < error_at; at = next(text, length, at))
        line.column++;
    line.shown_begin = line.begin;
    for (unsigned column = 0; column + BEFORE < line.column; column++)
        line.shown_begin = next(text, length, line.shown_begin);
    line.shown_end = error_at;
    for (unsigned n = 0; n < BEHIND && line.shown_end < line.end; n++)
        line.shown_end = next(text, length, line.shown_end);
    return line;
}

static void put_text(Output *output, const char *text, const Line *line)
{
    put(output, "\n%s", line->shown_begin > line->begin ? "…" : "");
    for (size_t at = line->shown_begin, end; at < line->shown_end; at = end) {
        end = next(text, line->shown_end, at);
        bool is_odd =
            (unsigned char)text[at] < 0x20 || text[at] == 0x7f || (end == at + 1 && (unsigned char)text[at] >= 0x80);
        put(output, "%.*s", (int)(end - at), text[at] == '\t' ? " " : is_odd ? "?" : text + at);
    }
    put(output, "%s\n", line->shown_end < line->end ? "…" : "");
}

static void put_caret(Output *output, const char *text, const Line *line, size_t begin, size_t end)
{
    end = end < line->shown_end ? end : line->shown_end;
    put(output, "%s", line->shown_begin > line->begin ? " " : "");
    for (size_t at = line->shown_begin; at < begin; at = next(text, line->end, at))
        put(output, " ");
    put(output, "^");
    for (size_t at = begin < end ? next(text, end, begin) : end; at < end; at = next(text, end, at))
        put(output, "~");
}

void hiera_expression_report(const HieraExpressionError *error, const char *text, size_t length,
                             const HieraExpressionPlace *place, char *to, size_t room)
{
    if (room == 0)
        return;
    Output output = {to, room, 0};
    Line line = find_line(text, length, error->at);
    unsigned column = line.column + (line.line == 0 && place->column > 0 ? place->column : 1);
    to[0] = '\0';
    if (place->line > 0)
        put(&output, "%s:%u:%u: %s", place->source, place->line + line.line, column, error->message);
    else
        put(&output, "%s: column %u: %s", place->source, column, error->message);
    put_text(&output, text, &line);
    put_caret(&output, text, &line, error->at, error->at + error->length);
}
