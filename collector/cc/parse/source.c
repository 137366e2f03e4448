#include "source.h"

#include "run/words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *hiera_source_grow(void *array, size_t n, size_t size)
{
    if (n > 0 && (n < 16 || (n & (n - 1)) != 0))
        return array;
    void *grown = realloc(array, (n < 16 ? 16 : 2 * n) * size);
    if (!grown)
        hiera_run_fail("no memory");
    return grown;
}

void hiera_source_read(HieraSource *source, int file)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    for (source->length = 0; text;) {
        ssize_t n = read(file, text + source->length, room - source->length - 1);
        if (n < 0 && errno != EINTR)
            hiera_run_fail("%s: %s", source->name, strerror(errno));
        if (n == 0)
            break;
        source->length += n > 0 ? (size_t)n : 0;
        if (source->length + 1 == room)
            text = realloc(text, room *= 2);
    }
    if (!text)
        hiera_run_fail("no memory");
    text[source->length] = '\0';
    source->text = text;
}

unsigned hiera_source_line(const HieraSource *source, size_t at)
{
    unsigned line = 1;
    for (const char *c = source->text; (c = memchr(c, '\n', source->length - (size_t)(c - source->text))) != NULL;
         c++) {
        if ((size_t)(c - source->text) >= at)
            break;
        line++;
    }
    return line;
}

/* Print the source line of a span, with a caret below its begin. Tabs keep their width. */
static void show(const HieraSource *source, HieraSourceSpan span)
{
    size_t begin = span.begin;
    while (begin > 0 && source->text[begin - 1] != '\n')
        begin--;
    int length = (int)strcspn(source->text + begin, "\r\n");
    fprintf(stderr, " %5u | %.*s\n       | ", hiera_source_line(source, span.begin), length, source->text + begin);
    for (size_t at = begin; at < span.begin; at++)
        fputc(source->text[at] == '\t' ? '\t' : ' ', stderr);
    fputc('^', stderr);
    for (size_t at = span.begin + 1; at < span.end && at < begin + (size_t)length; at++)
        fputc('~', stderr);
    fputc('\n', stderr);
}

void hiera_source_tell(const HieraSource *source, bool is_error, HieraSourceSpan span, const char *format, ...)
{
    size_t column = 1;
    while (column <= span.begin && source->text[span.begin - column] != '\n')
        column++;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%u:%zu: %s: ", source->name, hiera_source_line(source, span.begin), column,
            is_error ? "error" : "warning");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    show(source, span);
}
