/* Parses files of rules.
 *
 *     region "time step": MPITime < 0.3 * WallTime
 *     operation allreduce in "CG": calls <= 2
 *     KSPSolve in "main loop": MPIWaitTime < 0.1 * WallTime on some rank
 *     job: MPITime < 0.2 * WallTime
 *
 * A rule is a subject, a colon and an expectation. It ends with its line, unless the next line begins with a blank. `#`
 * at the begin of a line or behind a blank begins a comment. */
#include "rules.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *source;
    char *text; /* copy of the file's text, in which comments are blank */
    size_t length, at;
    unsigned line; /* number of the line at `at` */
    HieraRules *rules;
    char *report;
} Reader;

/* A range of offsets in the text. */
typedef struct {
    size_t begin, end;
} Part;

/* --- errors in a file of rules --- */

static bool fail_at(const Reader *reader, Part rule, size_t begin, size_t end, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Report an error in the range from `begin` to `end` of a rule. Returns false. */
static bool fail_at(const Reader *reader, Part rule, size_t begin, size_t end, const char *format, ...)
{
    HieraExpressionError error = {.at = begin - rule.begin, .length = end - begin};
    const HieraExpressionPlace place = {reader->source, reader->line, 1};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    hiera_expression_report(&error, reader->text + rule.begin, rule.end - rule.begin, &place, reader->report,
                            HIERA_RULES_REPORT);
    return false;
}

/* --- subject of a rule --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t skip_blanks(const Reader *reader, size_t at, size_t end)
{
    while (at < end && is_blank(reader->text[at]))
        at++;
    return at;
}

/* Read a name: in quotes, or up to a blank or the colon; "::" belongs to it. Returns its end; `begin` if there is none.
 */
static size_t skip_name(const Reader *reader, size_t begin, size_t end)
{
    const char *text = reader->text;
    size_t at = begin;
    if (at < end && (text[at] == '"' || text[at] == '\'')) {
        const char *close = memchr(text + at + 1, text[at], end - at - 1);
        return close ? (size_t)(close - text) + 1 : begin;
    }
    while (at < end && !is_blank(text[at]) && text[at] != '"') {
        if (text[at] == ':' && !(at + 1 < end && text[at + 1] == ':'))
            break;
        at += text[at] == ':' ? 2 : 1;
    }
    return at;
}

static bool is_word(const Reader *reader, Part part, const char *word)
{
    size_t length = part.end - part.begin;
    return strlen(word) == length && memcmp(reader->text + part.begin, word, length) == 0;
}

static const char *keep_name(const Reader *reader, Part name)
{
    bool quoted = reader->text[name.begin] == '"' || reader->text[name.begin] == '\'';
    return hiera_rules_keep(reader->rules, reader->text + name.begin + quoted, name.end - name.begin - 2 * quoted);
}

enum { MOST_WORDS = 4 };

/* Split the subject into words.
 *
 * @param colon  becomes the offset of the colon, or of the text behind MOST_WORDS words
 * @return  false with a report if there is no colon, or a name is not terminated */
static bool split_subject(const Reader *reader, Part rule, Part *words, unsigned *n, size_t *colon)
{
    size_t end;
    *n = 0;
    for (size_t at = rule.begin;; at = end) {
        *colon = at = skip_blanks(reader, at, rule.end);
        if (at < rule.end && (reader->text[at] == ':' || *n == MOST_WORDS))
            return true;
        end = skip_name(reader, at, rule.end);
        if (at == rule.end)
            return fail_at(reader, rule, at, at,
                           "a ':' has to follow what the rule is about, as in  region \"step\": WallTime < 5ms");
        if (end == at)
            return fail_at(reader, rule, at, at + 1, "the name that begins here has no end: %c is missing",
                           reader->text[at]);
        words[(*n)++] = (Part){at, end};
    }
}

/* Parse the subject: region NAME [in NAME], operation NAME [in NAME], job, NAME [in NAME] */
static bool read_subject(const Reader *reader, Part line, const Part *words, unsigned n, HieraRule *rule,
                         const char **counted)
{
    bool region = n > 1 && is_word(reader, words[0], "region"),
         operation = n > 1 && is_word(reader, words[0], "operation");
    bool in_first = n > 1 && is_word(reader, words[1], "in");
    unsigned first = (region || operation) && !in_first ? 1 : 0;
    bool has_inside = n == first + 3 && is_word(reader, words[first + 1], "in");
    if (n == 0)
        return fail_at(reader, line, line.begin, line.begin + 1,
                       "a rule begins with what it is about: region, operation, job or a name");
    if (n > first + 1 && !has_inside)
        return fail_at(reader, line, words[first + 1].begin, words[first + 1].end,
                       "a ':' or 'in NAME' is expected here; a name with blanks stands in quotes");
    const char *name = keep_name(reader, words[first]),
               *inside = has_inside ? keep_name(reader, words[first + 2]) : NULL;
    if (operation && first) {
        *counted = name;
        rule->operation = inside;
        rule->scope = inside ? HIERA_RULE_EXECUTION : HIERA_RULE_RANK;
    } else if (n == 1 && is_word(reader, words[0], "job")) {
        rule->scope = HIERA_RULE_JOB;
    } else {
        rule->operation = name;
        rule->inside = inside;
        rule->regions = region && first;
    }
    return true;
}

/* --- expectations, and whole rules --- */

static size_t skip_back(const Reader *reader, size_t begin, size_t end)
{
    while (end > begin && is_blank(reader->text[end - 1]))
        end--;
    return end;
}

/* Endings of expectations: how many evaluations are made, and how many of them must be true. */
typedef enum { EVERY_RANK, SOME_RANK, EACH_EXECUTION, N_QUANTIFIERS } Quantifier;
static const char *const quantifiers[] = {"on every rank", "on some rank", "on each execution"};

/* Remove an ending from an expectation. @return  the ending, N_QUANTIFIERS if there is none */
static Quantifier take_quantifier(const Reader *reader, Part *expectation)
{
    for (unsigned i = 0; i < N_QUANTIFIERS; i++) {
        size_t length = strlen(quantifiers[i]), at = expectation->end - length;
        bool fits = expectation->end - expectation->begin > length && is_blank(reader->text[at - 1]);
        if (fits && memcmp(reader->text + at, quantifiers[i], length) == 0) {
            expectation->end = skip_back(reader, expectation->begin, at);
            return (Quantifier)i;
        }
    }
    return N_QUANTIFIERS;
}

/* Offsets of the endings in an expectation; 0: absent. */
typedef struct {
    size_t at[N_QUANTIFIERS];
} Endings;

static Part take_quantifiers(const Reader *reader, Part expectation, HieraRule *rule, Endings *endings)
{
    Quantifier quantifier;
    *endings = (Endings){{0}};
    while ((quantifier = take_quantifier(reader, &expectation)) != N_QUANTIFIERS)
        endings->at[quantifier] = skip_blanks(reader, expectation.end, reader->length);
    rule->some = endings->at[SOME_RANK] > 0;
    rule->each = endings->at[EACH_EXECUTION] > 0;
    return expectation;
}

/* Refuse endings that have no meaning for a rule. */
static bool check_quantifiers(const Reader *reader, Part line, const HieraRule *rule, const Endings *endings)
{
    size_t some = endings->at[SOME_RANK], every = endings->at[EVERY_RANK], each = endings->at[EACH_EXECUTION];
    if (some && every)
        return fail_at(reader, line, some, some + strlen(quantifiers[SOME_RANK]),
                       "a rule holds on every rank or on some rank, not both");
    if (each && rule->scope != HIERA_RULE_EXECUTION)
        return fail_at(reader, line, each, each + strlen(quantifiers[EACH_EXECUTION]),
                       "the rule is about no operation, so it has no executions");
    if (some && rule->n_reductions > 0 && !rule->own)
        return fail_at(reader, line, some, some + strlen(quantifiers[SOME_RANK]),
                       "the rule has one answer for all ranks together; outside of sum, mean, min and max it asks for "
                       "nothing of a rank");
    return true;
}

/* Copy a part of the text as one line. */
static const char *keep_line(const Reader *reader, Part part)
{
    char *line = malloc(part.end - part.begin + 1);
    size_t n = 0;
    if (!line) {
        reader->rules->out_of_memory = true;
        return NULL;
    }
    for (size_t at = part.begin; at < part.end; at++) {
        bool newline = reader->text[at] == '\n' || reader->text[at] == '\r';
        if (newline)
            at = skip_blanks(reader, at, part.end) - 1;
        line[n++] = newline ? ' ' : reader->text[at];
    }
    const char *kept = hiera_rules_keep(reader->rules, line, n);
    free(line);
    return kept;
}

static bool compile(const Reader *reader, Part line, Part expectation, HieraRule *rule, const char *counted)
{
    HieraExpressionError error = {0};
    const char *text = reader->text + expectation.begin;
    if (!hiera_rule_compile(reader->rules, rule, counted, text, expectation.end - expectation.begin, &error))
        return fail_at(reader, line, expectation.begin + error.at, expectation.begin + error.at + error.length, "%s",
                       error.message);
    return true;
}

static bool add_rule(Reader *reader, Part line)
{
    Part words[MOST_WORDS];
    unsigned n;
    HieraRules *rules = reader->rules;
    HieraRule *grown = hiera_rules_grow(rules, rules->rules, rules->n_rules, sizeof *grown);
    if (!grown)
        return false;
    rules->rules = grown;
    HieraRule *rule = &grown[rules->n_rules++];
    *rule =
        (HieraRule){.source = hiera_rules_keep(rules, reader->source, strlen(reader->source)), .line = reader->line};
    const char *counted = NULL;
    size_t colon;
    if (!split_subject(reader, line, words, &n, &colon) || !read_subject(reader, line, words, n, rule, &counted))
        return false;
    if (reader->text[colon] != ':')
        return fail_at(reader, line, colon, colon + 1, "a ':' is expected here");
    Part expectation = {skip_blanks(reader, colon + 1, line.end), line.end};
    rule->text = keep_line(reader, line);
    rule->expectation = keep_line(reader, expectation);
    Endings endings;
    expectation = take_quantifiers(reader, expectation, rule, &endings);
    return compile(reader, line, expectation, rule, counted) && check_quantifiers(reader, line, rule, &endings);
}

/* Replace the comment of a line by blanks. */
static void blank_comment(char *line, size_t length)
{
    char quote = '\0';
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '#' && !quote && (i == 0 || is_blank(line[i - 1]))) {
            memset(line + i, ' ', length - i);
            return;
        }
        if (quote ? line[i] == quote : line[i] == '"' || line[i] == '\'')
            quote = quote ? '\0' : line[i];
    }
}

static size_t line_end(const Reader *reader, size_t at)
{
    const char *newline = at < reader->length ? memchr(reader->text + at, '\n', reader->length - at) : NULL;
    return newline ? (size_t)(newline - reader->text) : reader->length;
}

/* Parse the rule that begins in this line, with its continuation lines. */
static bool read_rule(Reader *reader)
{
    size_t end = line_end(reader, reader->at);
    unsigned n_lines = 1;
    for (; end + 1 < reader->length && is_blank(reader->text[end + 1]); n_lines++)
        end = line_end(reader, end + 1);
    Part rule = {reader->at, skip_back(reader, reader->at, end)};
    bool good = rule.end == rule.begin || add_rule(reader, rule);
    reader->at = end + 1;
    reader->line += n_lines;
    return good;
}

static bool read_rules(Reader *reader)
{
    for (size_t at = 0; at < reader->length; at = line_end(reader, at) + 1)
        blank_comment(reader->text + at, line_end(reader, at) - at);
    bool good = true;
    while (good && reader->at < reader->length)
        good = read_rule(reader) && !reader->rules->out_of_memory;
    return good;
}

HieraRules *hiera_rules_parse(const char *source, const char *text, size_t length, const HieraRuleValues *values,
                              char *report)
{
    return hiera_rules_parse_for(source, text, length, &(HieraRuleHost){.values = values}, report);
}

HieraRules *hiera_rules_parse_for(const char *source, const char *text, size_t length, const HieraRuleHost *host,
                                  char *report)
{
    HieraRules *rules = calloc(1, sizeof *rules);
    char *copy = malloc(length + 1);
    Reader reader = {.source = source, .text = copy, .length = length, .line = 1, .rules = rules, .report = report};
    snprintf(report, HIERA_RULES_REPORT, "out of memory");
    if (copy && rules) {
        memcpy(copy, text, length);
        rules->host = host;
        hiera_rule_values_find_transfer(host->values, &rules->ns_per_byte, &rules->latency_ns);
        snprintf(report, HIERA_RULES_REPORT, "%s: there is no rule in it", source);
    }
    bool good = copy && rules && read_rules(&reader) && rules->n_rules > 0;
    if (rules && rules->out_of_memory)
        snprintf(report, HIERA_RULES_REPORT, "out of memory");
    free(copy);
    if (good)
        return rules;
    hiera_rules_free(rules);
    return NULL;
}
