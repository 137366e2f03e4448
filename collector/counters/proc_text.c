#include "proc_text.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

static const char *skip_word(const char *at, const char *end)
{
    while (at < end && *at != ' ' && *at != '\t')
        at++;
    return at;
}

/* Set the label of a line. Returns where its numbers begin; NULL if the line does not have the form. */
static const char *split(HieraProcLabel form, const char *line, const char *end, HieraProcNumber *number)
{
    const char *begin = skip_blanks(line, end), *stop = begin;
    number->label = begin;
    number->label_length = 0;
    switch (form) {
    case HIERA_PROC_NONE:
        return begin;
    case HIERA_PROC_COLON:
        stop = memchr(begin, ':', (size_t)(end - begin));
        break;
    case HIERA_PROC_WORD:
        stop = skip_word(begin, end);
        break;
    case HIERA_PROC_PROCESS:
        for (stop = end; stop > begin && stop[-1] != ')';)
            stop--;
        return stop > begin ? skip_word(skip_blanks(stop, end), end) : NULL;
    }
    if (!stop || stop == begin || stop == end)
        return NULL;
    number->label_length = (size_t)(stop - begin);
    return stop + (*stop == ':');
}

/* Read a number that may have two decimals. Returns the number's end; NULL if no digit is there (a sign is none). */
static const char *read_number(const char *at, const char *end, HieraProcNumber *number)
{
    const char *begin = at;
    uint64_t value = 0;
    while (at < end && is_digit(*at))
        value = value * 10 + (uint64_t)(*at++ - '0');
    number->is_real = at > begin && end - at >= 3 && *at == '.' && is_digit(at[1]) && is_digit(at[2]);
    if (number->is_real) {
        value = value * 100 + (uint64_t)(at[1] - '0') * 10 + (uint64_t)(at[2] - '0');
        at += 3;
    }
    number->whole = value;
    return at > begin ? at : NULL;
}

static void tell_only(HieraProcNumber *number, const char *at, const char *end, HieraProcVisit *visit, void *data)
{
    at = skip_blanks(at, end);
    const char *behind = read_number(at, end, number);
    if (!behind)
        return;
    const char *rest = skip_blanks(behind, end);
    number->is_kilobytes = end - rest == 2 && memcmp(rest, "kB", 2) == 0;
    if (number->is_kilobytes || rest == end)
        visit(data, number);
}

void hiera_proc_line(const HieraProcFormat *format, const char *line, size_t length, HieraProcVisit *visit, void *data)
{
    const char *end = line + length;
    HieraProcNumber number = {.label = line};
    const char *at = split(format->label, line, end, &number);
    if (at && !format->columns)
        tell_only(&number, at, end, visit, data);
    if (!at || !format->columns)
        return;
    for (unsigned i = 0; i < format->n_columns; i++) {
        at = skip_blanks(at, end);
        const char *behind = skip_word(at, end);
        number.column = &format->columns[i];
        if (number.column->name && read_number(at, behind, &number) == behind && behind > at)
            visit(data, &number);
        at = behind;
    }
}

bool hiera_proc_is(const HieraProcNumber *number, const char *key)
{
    size_t n = number->label_length;
    if (n > 0 && strncmp(key, number->label, n) != 0)
        return false;
    key += n;
    if (!number->column)
        return *key == '\0';
    return (n == 0 || *key++ == '/') && strcmp(key, number->column->name) == 0;
}

void hiera_proc_key(const HieraProcNumber *number, char *key, size_t room)
{
    size_t n = number->label_length < room - 1 ? number->label_length : room - 1;
    memcpy(key, number->label, n);
    if (n > 0 && number->column && n < room - 1)
        key[n++] = '/';
    for (const char *c = number->column ? number->column->name : ""; *c && n < room - 1; c++)
        key[n++] = *c;
    key[n] = '\0';
}
