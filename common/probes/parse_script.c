/* Parses the text of a script: comments, clauses, predicates, actions. See probes.h. */
#include "script.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- messages about errors in a script --- */

void hiera_reader_fail(HieraScriptReader *reader, HieraSpan where, const char *format, ...)
{
    if (reader->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->error.message, sizeof reader->error.message, format, arguments);
    va_end(arguments);
    reader->error.at = where.at;
    reader->error.length = where.length;
    reader->failed = true;
}

void hiera_reader_fail_memory(HieraScriptReader *reader)
{
    hiera_reader_fail(reader, (HieraSpan){0, 0}, "out of memory");
}

void hiera_reader_take_error(HieraScriptReader *reader, const HieraExpressionError *error, size_t at)
{
    hiera_reader_fail(reader, (HieraSpan){at + error->at, error->length}, "%s", error->message);
}

unsigned hiera_script_line(const HieraProbeScript *script, size_t at)
{
    unsigned line = 1;
    for (size_t i = 0; i < at && i < script->length; i++)
        line += script->text[i] == '\n';
    return script->lines ? line : 0;
}

void hiera_script_report(const HieraProbeScript *script, const HieraExpressionError *error,
                         char report[HIERA_PROBE_REPORT])
{
    HieraExpressionError in_line = *error;
    size_t begin = error->at < script->length ? error->at : script->length, end = begin;
    while (begin > 0 && script->text[begin - 1] != '\n')
        begin--;
    while (end < script->length && script->text[end] != '\n')
        end++;
    in_line.at -= begin;
    if (in_line.at + in_line.length > end - begin)
        in_line.length = end - begin - in_line.at;
    const HieraExpressionPlace place = {script->source, hiera_script_line(script, error->at), 1};
    hiera_expression_report(&in_line, script->text + begin, end - begin, &place, report, HIERA_PROBE_REPORT);
}

/* --- memory for the parser --- */

void *hiera_reader_grow(HieraScriptReader *reader, void *items, size_t n, size_t size)
{
    char *grown = realloc(items, (n + 1) * size);
    if (!grown) {
        hiera_reader_fail_memory(reader);
        return NULL;
    }
    memset(grown + n * size, 0, size);
    return grown;
}

char *hiera_reader_copy(HieraScriptReader *reader, HieraSpan span)
{
    char *copy = strndup(reader->script->plain + span.at, span.length);
    if (!copy)
        hiera_reader_fail_memory(reader);
    return copy;
}

/* --- parsing of clauses --- */

/* Find the slash that ends a predicate: one that is followed by the opening brace of the actions. */
static size_t find_slash(const HieraProbeScript *script, size_t at)
{
    while ((at = hiera_scan_to(script, at, script->length, "/")) < script->length) {
        if (hiera_scan_char(script, hiera_scan_blanks(script, at + 1)) == '{')
            break;
        at++;
    }
    return at;
}

static size_t read_predicate(HieraScriptReader *reader, HieraClause *clause, size_t at)
{
    size_t end = find_slash(reader->script, at + 1);
    clause->predicate_span = hiera_scan_trim(reader->script, at + 1, end);
    if (end == reader->script->length)
        hiera_reader_fail(reader, (HieraSpan){at, 1},
                          "the predicate that begins here has no end: / before { is missing");
    else if (clause->predicate_span.length == 0)
        hiera_reader_fail(reader, (HieraSpan){at, end + 1 - at}, "the predicate is empty");
    return end + 1;
}

static void add_action(HieraScriptReader *reader, HieraClause *clause, HieraSpan span)
{
    HieraAction *actions = hiera_reader_grow(reader, clause->actions, clause->n_actions, sizeof *actions);
    if (!actions)
        return;
    clause->actions = actions;
    hiera_action_read(reader, &actions[clause->n_actions++], span);
}

/* Read the actions in braces. @param at  offset of the opening brace. @return  the offset behind the closing one */
static size_t read_actions(HieraScriptReader *reader, HieraClause *clause, size_t at)
{
    const HieraProbeScript *script = reader->script;
    size_t open = at;
    char c = ';';
    for (at++; !reader->failed && c == ';'; at++) {
        size_t end = hiera_scan_to(script, at, script->length, ";}");
        HieraSpan span = hiera_scan_trim(script, at, end);
        c = hiera_scan_char(script, end);
        if (span.length > 0 && c)
            add_action(reader, clause, span);
        at = end;
    }
    if (c != '}')
        hiera_reader_fail(reader, (HieraSpan){open, 1}, "the actions that begin here have no end: } is missing");
    if (clause->n_actions == 0)
        hiera_reader_fail(reader, clause->description, "this clause has no action");
    return at;
}

static size_t read_clause(HieraScriptReader *reader, size_t at)
{
    HieraProbeScript *script = reader->script;
    HieraClause *clauses = hiera_reader_grow(reader, script->clauses, script->n_clauses, sizeof *clauses);
    if (!clauses)
        return script->length;
    script->clauses = clauses;
    HieraClause *clause = &clauses[script->n_clauses++];
    clause->first_own = HIERA_NO_TARGET;
    at = hiera_scan_blanks(script, hiera_description_read(reader, clause, at));
    if (!reader->failed && hiera_scan_char(script, at) == '/')
        at = hiera_scan_blanks(script, read_predicate(reader, clause, at));
    if (!reader->failed && hiera_scan_char(script, at) != '{')
        hiera_reader_fail(reader, (HieraSpan){at, at < script->length}, "the actions are missing here: { … }");
    return reader->failed ? script->length : read_actions(reader, clause, at);
}

/* --- comments, and the whole script --- */

/* Replace comments by blanks. */
static void hide_comments(HieraScriptReader *reader)
{
    HieraProbeScript *script = reader->script;
    size_t at = 0;
    while (at < script->length) {
        char c = script->plain[at];
        if (c == '"' || c == '\'') {
            at = hiera_scan_text(script, at);
            continue;
        }
        if (c != '/' || hiera_scan_char(script, at + 1) != '*') {
            at++;
            continue;
        }
        const char *end = memmem(script->plain + at + 2, script->length - at - 2, "*/", 2);
        if (!end) {
            hiera_reader_fail(reader, (HieraSpan){at, 2}, "the comment that begins here has no end: */ is missing");
            return;
        }
        size_t behind = (size_t)(end - script->plain) + 2;
        for (; at < behind; at++)
            script->plain[at] = script->plain[at] == '\n' ? '\n' : ' ';
    }
}

static void read_script(HieraScriptReader *reader)
{
    HieraProbeScript *script = reader->script;
    hide_comments(reader);
    size_t at = hiera_scan_blanks(script, 0);
    while (!reader->failed && at < script->length)
        at = hiera_scan_blanks(script, read_clause(reader, at));
    script->has_remainder = memchr(script->plain, '%', script->length) != NULL;
    if (script->n_clauses == 0)
        hiera_reader_fail(reader, (HieraSpan){0, 0}, "the script has no clause");
    if (!reader->failed)
        hiera_names_find(reader);
    if (!reader->failed)
        hiera_script_compile(reader);
}

HieraProbeScript *hiera_probe_script_parse(const char *source, bool lines, const char *text, size_t length,
                                           char report[HIERA_PROBE_REPORT])
{
    HieraProbeScript *script = calloc(1, sizeof *script);
    HieraScriptReader reader = {.script = script};
    if (script) {
        script->lines = lines;
        script->length = length;
        script->source = strdup(source);
        script->text = malloc(length + 1);
        script->plain = malloc(length + 1);
    }
    if (!script || !script->source || !script->text || !script->plain) {
        snprintf(report, HIERA_PROBE_REPORT, "%s: out of memory", source);
        hiera_probe_script_free(script);
        return NULL;
    }
    memcpy(script->text, text, length);
    memcpy(script->plain, text, length);
    script->text[length] = script->plain[length] = '\0';
    read_script(&reader);
    if (!reader.failed)
        return script;
    hiera_script_report(script, &reader.error, report);
    hiera_probe_script_free(script);
    return NULL;
}

/* --- freeing and querying a script --- */

static void free_action(HieraAction *action)
{
    for (unsigned i = 0; i < HIERA_EXPRESSION_KEYS; i++)
        hiera_expression_free(action->keys[i]);
    for (unsigned i = 0; i < HIERA_MOST_PRINTED; i++)
        hiera_expression_free(action->values[i]);
    hiera_expression_free(action->ranks);
}

static void free_clause(HieraClause *clause)
{
    for (unsigned i = 0; i < clause->n_actions; i++)
        free_action(&clause->actions[i]);
    free(clause->actions);
    free(clause->pattern);
    hiera_expression_free(clause->ranks);
    hiera_expression_free(clause->predicate);
    for (HieraClause *variant = clause->variants, *next; variant; variant = next) {
        next = variant->next;
        free_clause(variant);
        free(variant);
    }
}

void hiera_probe_script_free(HieraProbeScript *script)
{
    if (!script)
        return;
    for (unsigned i = 0; i < script->n_clauses; i++)
        free_clause(&script->clauses[i]);
    for (unsigned i = 0; i < script->n_names; i++)
        free(script->names[i].name);
    hiera_script_free_users(script);
    free(script->clauses);
    free(script->globals);
    free(script->names);
    free(script->source);
    free(script->text);
    free(script->plain);
    free(script);
}

unsigned hiera_probe_script_count(const HieraProbeScript *script)
{
    return script->n_clauses;
}

unsigned hiera_probe_script_count_names(const HieraProbeScript *script)
{
    return script->n_names;
}

const char *hiera_probe_script_name(const HieraProbeScript *script, unsigned name)
{
    return script->names[name].name;
}

bool hiera_probe_script_asks(const HieraProbeScript *script, HieraProbeVariableId variable)
{
    return script->asks[variable];
}

HieraProbeKind hiera_probe_clause_kind(const HieraProbeScript *script, unsigned clause)
{
    return script->clauses[clause].kind;
}

const char *hiera_probe_clause_name(const HieraProbeScript *script, unsigned clause)
{
    return script->clauses[clause].pattern;
}

int64_t hiera_probe_clause_period_ns(const HieraProbeScript *script, unsigned clause)
{
    return script->clauses[clause].period_ns;
}

bool hiera_probe_clause_takes(const HieraProbeScript *script, unsigned clause, HieraProbeEventKind event, int64_t rank)
{
    const HieraClause *asked = &script->clauses[clause];
    return (asked->events & 1u << event) && (!asked->ranks || hiera_expression_holds(asked->ranks, &rank));
}

bool hiera_probe_clause_has_event(const HieraProbeScript *script, unsigned clause, HieraProbeEventKind event)
{
    return script->clauses[clause].events & 1u << event;
}

bool hiera_probe_clause_fits(const HieraProbeScript *script, unsigned clause, const char *operation)
{
    const HieraClause *asked = &script->clauses[clause];
    return !asked->pattern || hiera_probe_name_fits(asked->kind, asked->pattern, operation);
}
