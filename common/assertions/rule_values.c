/* Files of values: `NAME = NUMBER`, one in a line; `#` begins a comment. */
#include "rules.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *name;
    double number;
} Value;

struct HieraRuleValues {
    Value *values;
    size_t n;
    const char *wrong; /* message about a wrong value in the last line that was read; NULL: none */
};

void hiera_rule_values_free(HieraRuleValues *values)
{
    for (size_t i = 0; values && i < values->n; i++)
        free(values->values[i].name);
    if (values)
        free(values->values);
    free(values);
}

static const Value *find(const HieraRuleValues *values, const char *name, size_t length)
{
    for (size_t i = values ? values->n : 0; i-- > 0;) { /* backwards: a later value replaces an earlier one */
        const Value *value = &values->values[i];
        if (strlen(value->name) == length && memcmp(value->name, name, length) == 0)
            return value;
    }
    return NULL;
}

static bool is(const char *name, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(name, word, length) == 0;
}

#define RATE    "PA_TRANSFER_RATE"    /* unit: Mbit/s */
#define LATENCY "PA_TRANSFER_LATENCY" /* unit: µs */
#define REPORT  "PA_REPORT_FILE"
enum { DEFAULT_RATE = 100, DEFAULT_LATENCY = 1 };

bool hiera_rule_values_find(const HieraRuleValues *values, const char *name, size_t length, double *number)
{
    const Value *value = find(values, name, length);
    bool is_rate = is(name, length, RATE), is_latency = is(name, length, LATENCY);
    if (value)
        *number = value->number;
    else if (is_rate || is_latency)
        *number = is_rate ? DEFAULT_RATE : DEFAULT_LATENCY;
    return value || is_rate || is_latency;
}

void hiera_rule_values_find_transfer(const HieraRuleValues *values, double *ns_per_byte, double *latency_ns)
{
    double rate = DEFAULT_RATE, latency = DEFAULT_LATENCY;
    hiera_rule_values_find(values, RATE, strlen(RATE), &rate);
    hiera_rule_values_find(values, LATENCY, strlen(LATENCY), &latency);
    *ns_per_byte = 8000 / rate;
    *latency_ns = 1000 * latency;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_word(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (!first && c >= '0' && c <= '9');
}

/* Read a number in C's notation, in any locale. */
static bool read_number(const char *text, size_t length, double *number)
{
    char copy[64], *end;
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    *number = c ? strtod_l(copy, &end, c) : strtod(copy, &end);
    if (c)
        freelocale(c);
    return *end == '\0';
}

static bool add(HieraRuleValues *values, const char *name, size_t length, double number)
{
    Value *grown = realloc(values->values, (values->n + 1) * sizeof *grown);
    if (!grown)
        return false;
    values->values = grown;
    grown[values->n] = (Value){strndup(name, length), number};
    return grown[values->n++].name != NULL;
}

/* Whether the number is a valid value for the name. */
static bool fits(HieraRuleValues *values, const char *name, size_t length, double number)
{
    if (is(name, length, RATE) && !(number > 0))
        values->wrong = RATE " has to be more than 0 Mbit/s";
    else if (is(name, length, LATENCY) && !(number >= 0))
        values->wrong = LATENCY " has to be a number of microseconds, 0 or more";
    return !values->wrong;
}

/* Parse one line without its comment. */
static bool read_line(HieraRuleValues *values, const char *text, size_t length)
{
    size_t at = 0, name, end;
    double number;
    while (at < length && is_blank(text[at]))
        at++;
    while (length > at && is_blank(text[length - 1]))
        length--;
    if (at == length)
        return true;
    for (name = at; at < length && is_word(text[at], at == name); at++) {
    }
    for (end = at; at < length && is_blank(text[at]); at++) {
    }
    if (end == name || at == length || text[at++] != '=')
        return false;
    while (at < length && is_blank(text[at]))
        at++;
    if (is(text + name, end - name, REPORT))
        return at < length;
    return read_number(text + at, length - at, &number) && fits(values, text + name, end - name, number) &&
           add(values, text + name, end - name, number);
}

HieraRuleValues *hiera_rule_values_parse(const char *source, const char *text, size_t length, char *report)
{
    HieraRuleValues *values = calloc(1, sizeof *values);
    unsigned line = 1;
    for (size_t at = 0; values && at < length; line++) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t end = newline ? (size_t)(newline - text) : length;
        const char *comment = memchr(text + at, '#', end - at);
        size_t useful = comment ? (size_t)(comment - text) : end;
        if (!read_line(values, text + at, useful - at)) {
            snprintf(report, HIERA_RULES_REPORT, "%s:%u: %s", source, line,
                     values->wrong ? values->wrong : "a line has to be NAME = NUMBER, as in: limit = 0.2");
            hiera_rule_values_free(values);
            return NULL;
        }
        at = end + 1;
    }
    if (!values)
        snprintf(report, HIERA_RULES_REPORT, "out of memory");
    return values;
}
