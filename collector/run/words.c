/* See words.h. Functions for lists of texts, and for messages of hiera-run. */
#include "words.h"

#include "base/printable.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *memory)
{
    if (!memory)
        hiera_run_fail("no memory");
    return memory;
}

void hiera_run_say(const char *format, va_list arguments)
{
    char text[4096];
    int n = vsnprintf(text, sizeof text, format, arguments);
    if (n < 0)
        return;
    hiera_printable(text, strlen(text));
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, text);
}

void hiera_run_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    hiera_run_say(format, arguments);
    va_end(arguments);
    exit(2);
}

void hiera_run_fail_lines(char *lines)
{
    for (char *rest = lines, *line; (line = strsep(&rest, "\n"));) {
        hiera_printable(line, strlen(line));
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, line);
    }
    exit(2);
}

void hiera_words_add(HieraWords *words, const char *text)
{
    words->at = need(realloc(words->at, (words->n + 2) * sizeof *words->at));
    words->at[words->n++] = (char *)text;
    words->at[words->n] = NULL;
}

void hiera_words_add_once(HieraWords *words, const char *text)
{
    for (size_t i = 0; i < words->n; i++)
        if (strcmp(words->at[i], text) == 0)
            return;
    hiera_words_add(words, text);
}

void hiera_words_split(HieraWords *words, const char *text, char separator)
{
    while (*text) {
        const char *end = strchrnul(text, separator);
        if (end > text)
            hiera_words_add(words, need(strndup(text, (size_t)(end - text))));
        text = end + (*end != '\0');
    }
}

char *hiera_words_join(const HieraWords *words, char separator)
{
    size_t bytes = 1;
    for (size_t i = 0; i < words->n; i++)
        bytes += strlen(words->at[i]) + 1;
    char *text = need(malloc(bytes)), *end = text;
    for (size_t i = 0; i < words->n; i++) {
        if (i > 0)
            *end++ = separator;
        end = stpcpy(end, words->at[i]);
    }
    *end = '\0';
    return text;
}

char *hiera_words_format(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return need(text);
}

bool hiera_words_begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}
