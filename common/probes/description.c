/* Parses descriptions: `call[0-3]::[begin,end]::"name"::`. */
#include "script.h"
#include "text/nearest.h"
#include <stdlib.h>
#include <string.h>

/* Name of a kind of probe in messages. */
static const char *kind_name(HieraProbeKind kind)
{
    return kind == HIERA_PROBE_USER ? "a probe of the program" : hiera_probe_kinds[kind].word;
}

/* --- ranks in a description --- */

static HieraValue get_rank(unsigned id, void *context)
{
    (void)id;
    return hiera_value_integer(*(const int64_t *)context);
}

static const HieraExpressionName rank_name[] = {{"rank", HIERA_VALUE_INTEGER, 0, 0, get_rank}};

/* Compile a list of ranks to the expression `rank in LIST`. */
HieraExpression *hiera_description_ranks(HieraScriptReader *reader, HieraSpan span)
{
    static const char before[] = "rank in ";
    const HieraExpressionHost host = {.names = rank_name, .n_names = 1};
    HieraExpressionError error;
    size_t n = sizeof before - 1;
    char *text = malloc(n + span.length);
    if (!text) {
        hiera_reader_fail_memory(reader);
        return NULL;
    }
    memcpy(text, before, n);
    for (size_t i = 0; i < span.length; i++) {
        char c = reader->script->plain[span.at + i];
        text[n + i] = c == ',' ? ' ' : c;
    }
    HieraExpression *ranks = hiera_expression_compile(text, n + span.length, &host, HIERA_VALUE_TRUTH, &error);
    free(text);
    if (!ranks)
        hiera_reader_fail(reader, span, "this is no list of ranks, as in [0-3, 8]");
    return ranks;
}

/* --- events in a description --- */

static void blame_event(HieraScriptReader *reader, HieraProbeKind kind, HieraSpan span)
{
    char words[128] = "";
    unsigned n = 0, seen = 0;
    for (unsigned i = 0; i < HIERA_N_PROBE_EVENTS; i++)
        n += hiera_probe_event_probe((HieraProbeEventKind)i) == kind;
    for (unsigned i = 0; i < HIERA_N_PROBE_EVENTS; i++) {
        if (hiera_probe_event_probe((HieraProbeEventKind)i) != kind)
            continue;
        strcat(words, seen == 0 ? "" : seen + 1 == n ? " and " : ", ");
        strcat(words, hiera_probe_event_word((HieraProbeEventKind)i));
        seen++;
    }
    hiera_reader_fail(reader, span, "%s has the event%s %s", kind_name(kind), n == 1 ? "" : "s", words);
}

static unsigned read_events(HieraScriptReader *reader, HieraProbeKind kind, size_t begin, size_t end)
{
    HieraSpan parts[HIERA_N_PROBE_EVENTS];
    unsigned events = 0, n = hiera_scan_split(reader->script, begin, end, parts, HIERA_N_PROBE_EVENTS);
    for (unsigned i = 0; i < n && i < HIERA_N_PROBE_EVENTS && !reader->failed; i++) {
        HieraProbeEventKind event = hiera_probe_event_find(kind, reader->script->plain + parts[i].at, parts[i].length);
        if (event == HIERA_N_PROBE_EVENTS)
            blame_event(reader, kind, parts[i].length ? parts[i] : (HieraSpan){begin - 1, end + 1 - begin});
        else
            events |= 1u << event;
    }
    if (n > HIERA_N_PROBE_EVENTS)
        blame_event(reader, kind, (HieraSpan){begin, end - begin});
    return events;
}

static unsigned all_events(HieraProbeKind kind)
{
    unsigned events = 0;
    for (unsigned i = 0; i < HIERA_N_PROBE_EVENTS; i++)
        events |= hiera_probe_event_probe((HieraProbeEventKind)i) == kind ? 1u << i : 0;
    return events;
}

/* --- names and periods in a description --- */

static void check_call(HieraScriptReader *reader, const char *pattern, HieraSpan span)
{
    const char *nearest;
    if (hiera_probe_call_is_known(pattern, &nearest))
        return;
    if (nearest)
        hiera_reader_fail(reader, span, "there is no MPI function '%s'; did you mean '%s'?", pattern, nearest);
    else
        hiera_reader_fail(reader, span, "there is no MPI function '%s'", pattern);
}

/* Return the offset behind the name without quotes that begins at `at`. */
static size_t skip_name(const HieraProbeScript *script, size_t at)
{
    while (at < script->length && !strchr("/{ \t\r\n[", script->plain[at]) &&
           !(script->plain[at] == ':' && hiera_scan_char(script, at + 1) == ':'))
        at++;
    return at;
}

/* Read a word with or without quotes. @return  the offset behind the word */
static size_t read_word(const HieraProbeScript *script, size_t at, HieraSpan *span)
{
    bool quoted = hiera_scan_char(script, at) == '"' || hiera_scan_char(script, at) == '\'';
    size_t end = quoted ? hiera_scan_text(script, at) : skip_name(script, at);
    *span = (HieraSpan){at + quoted, end > at + 2u * quoted ? end - at - 2u * quoted : 0};
    return end;
}

/* Evaluate a period, a constant expression. @return  the period in ns; 0 if it is invalid */
static int64_t read_period(const HieraScriptReader *reader, HieraSpan span)
{
    static const HieraExpressionHost nothing = {0};
    HieraExpressionError error;
    HieraExpression *period =
        hiera_expression_compile(reader->script->plain + span.at, span.length, &nothing, HIERA_VALUE_DURATION, &error);
    int64_t ns = period ? hiera_expression_evaluate(period, NULL).duration_ns : 0;
    hiera_expression_free(period);
    return ns > 0 ? ns : 0;
}

static void take_period(HieraScriptReader *reader, HieraClause *clause, HieraSpan span)
{
    clause->period_ns = read_period(reader, span);
    if (clause->period_ns == 0)
        hiera_reader_fail(reader, span, "a period is a time, as in 100ms");
}

static void take_name(HieraScriptReader *reader, HieraClause *clause, HieraSpan span)
{
    if (clause->kind == HIERA_PROBE_MESSAGE)
        hiera_reader_fail(reader, span, "messages have no name; compare &call in the predicate");
    else if (!hiera_probe_kinds[clause->kind].may_have_name)
        hiera_reader_fail(reader, span, "%s has no further name", kind_name(clause->kind));
    else if (clause->pattern && read_period(reader, span) > 0)
        hiera_reader_fail(reader, span, "%s has no period%s", kind_name(clause->kind),
                          clause->kind == HIERA_PROBE_PROC ? " of its own; period of HIERA_PROBE_OPTIONS is that of all"
                                                           : "");
    else if (clause->pattern)
        hiera_reader_fail(reader, span, "the description has a name already; one with :: in it stands in quotes");
    if (reader->failed || !(clause->pattern = hiera_reader_copy(reader, span)))
        return;
    if (clause->kind == HIERA_PROBE_CALL)
        check_call(reader, clause->pattern, span);
}

/* Read a part of a description that is no list: a name or a period. @return  the offset behind the part */
static size_t read_name(HieraScriptReader *reader, HieraClause *clause, size_t at)
{
    const HieraProbeKindRow *row = &hiera_probe_kinds[clause->kind];
    HieraSpan span;
    size_t end = read_word(reader->script, at, &span);
    if (span.length == 0)
        hiera_reader_fail(reader, (HieraSpan){at, 0}, "a name or a list of events in [ ] is missing here");
    else if (row->may_have_period && clause->period_ns == 0 && (clause->pattern || !row->may_have_name))
        take_period(reader, clause, span);
    else
        take_name(reader, clause, span);
    return end;
}

static void check_parts(HieraScriptReader *reader, const HieraClause *clause)
{
    const HieraProbeKindRow *row = &hiera_probe_kinds[clause->kind];
    if (row->has_name && !clause->pattern)
        hiera_reader_fail(reader, clause->description, "%s needs a name, as in %s::name%s", row->word, row->word,
                          row->has_period ? "::100ms" : "");
    else if (row->has_period && clause->period_ns == 0)
        hiera_reader_fail(reader, clause->description, "%s needs a period, as in %s::%s100ms", row->word, row->word,
                          row->has_name ? "name::" : "");
}

/* --- parsing a whole description --- */

/* The first word of a description is unknown, so it names a probe of the program, unless it seems to be misspelt.
 *
 * @param sure  it is not misspelt: it has quotes or wildcards */
static void take_probe(HieraScriptReader *reader, HieraClause *clause, HieraSpan span, bool sure)
{
    const char *word = reader->script->plain + span.at;
    HieraNearest nearest = hiera_nearest_begin(word, span.length);
    for (unsigned i = 0; i < HIERA_N_PROBE_KINDS; i++)
        hiera_nearest_offer(&nearest, hiera_probe_kinds[i].word);
    if (span.length == 0 && (*word == '#' || strncmp(word, "//", 2) == 0))
        hiera_reader_fail(reader, (HieraSpan){span.at, 1}, "a comment stands between /* and */");
    else if (span.length == 0)
        hiera_reader_fail(reader, (HieraSpan){span.at, 1},
                          "a clause begins with call, region, message, BEGIN, END or another probe");
    else if (!sure && hiera_probe_call_is(word, span.length))
        hiera_reader_fail(
            reader, span,
            "there is no probe '%.*s'; did you mean 'call::%.*s'? One of the program stands in quotes then",
            (int)span.length, word, (int)span.length, word);
    else if (nearest.best && *nearest.best && !sure)
        hiera_reader_fail(reader, span,
                          "there is no probe '%.*s'; did you mean '%s'? One of the program stands in quotes then",
                          span.length < 40 ? (int)span.length : 40, word, nearest.best);
    else
        clause->pattern = hiera_reader_copy(reader, span);
    if (clause->pattern && !hiera_probe_has_wildcard(clause->pattern))
        clause->probe = clause->pattern;
}

/* Return the offset behind a word of letters, digits, `_`, `-` and wildcards. */
static size_t skip_kind(const HieraProbeScript *script, size_t at)
{
    size_t end = hiera_scan_word(script, at);
    for (char c = hiera_scan_char(script, end); c && (c == '*' || c == '?' || (c == '-' && end > at));
         c = hiera_scan_char(script, end))
        end = hiera_scan_word(script, end + 1);
    return end;
}

static bool has_wildcard(const HieraProbeScript *script, HieraSpan span)
{
    return memchr(script->plain + span.at, '*', span.length) || memchr(script->plain + span.at, '?', span.length);
}

/* Read the first word of a description: the kind of probe. @return  the offset behind the word */
static size_t read_kind(HieraScriptReader *reader, HieraClause *clause, size_t at)
{
    const HieraProbeScript *script = reader->script;
    bool quoted = hiera_scan_char(script, at) == '"' || hiera_scan_char(script, at) == '\'';
    HieraSpan span;
    size_t end = skip_kind(script, at);
    span = (HieraSpan){at, end - at};
    if (quoted)
        end = read_word(script, at, &span);
    clause->kind = quoted ? HIERA_N_PROBE_KINDS : hiera_probe_kind_find(script->plain + span.at, span.length);
    if (clause->kind == HIERA_N_PROBE_KINDS) {
        clause->kind = HIERA_PROBE_USER;
        take_probe(reader, clause, span, quoted || has_wildcard(script, span));
    }
    return end;
}

/* Find the end of the brackets that begin at `at`. @return  the offset behind them; `end` becomes the offset of the
 * closing one */
static size_t read_brackets(HieraScriptReader *reader, size_t at, size_t *end)
{
    *end = hiera_scan_to(reader->script, at + 1, reader->script->length, "]{};");
    if (hiera_scan_char(reader->script, *end) != ']')
        hiera_reader_fail(reader, (HieraSpan){at, 1}, "the list that begins here has no end: ] is missing");
    return *end + 1;
}

/* Read one `::` and the part of the description behind it. @return  the offset behind the part */
static size_t read_part(HieraScriptReader *reader, HieraClause *clause, size_t at)
{
    const HieraProbeScript *script = reader->script;
    size_t sign = at, end;
    at = hiera_scan_blanks(script, at + 2);
    char c = hiera_scan_char(script, at);
    if (c == '/' || c == '{' || c == '\0')
        return at; /* the description ends with `::` */
    if (clause->kind == HIERA_PROBE_BEGIN || clause->kind == HIERA_PROBE_END)
        hiera_reader_fail(reader, (HieraSpan){sign, 2}, "%s has no events and no name", kind_name(clause->kind));
    if (c == ':' && hiera_scan_char(script, at + 1) == ':')
        return at; /* nothing between two `::` */
    if (reader->failed)
        return at;
    if (c != '[')
        return read_name(reader, clause, at);
    size_t behind = read_brackets(reader, at, &end);
    if (clause->lists_events)
        hiera_reader_fail(reader, (HieraSpan){at, behind - at},
                          "the description has a list of events already; write one list, as in [begin, end]");
    clause->lists_events = true;
    unsigned events = reader->failed ? 0 : read_events(reader, clause->kind, at + 1, end);
    clause->events = events ? events : clause->events;
    return behind;
}

size_t hiera_description_read(HieraScriptReader *reader, HieraClause *clause, size_t at)
{
    const HieraProbeScript *script = reader->script;
    size_t word = at, end;
    at = read_kind(reader, clause, at);
    if (reader->failed)
        return at;
    clause->events = all_events(clause->kind);
    at = hiera_scan_blanks(script, at);
    if (hiera_scan_char(script, at) == '[') {
        size_t open = at;
        at = hiera_scan_blanks(script, read_brackets(reader, at, &end));
        HieraSpan ranks = reader->failed ? (HieraSpan){0} : hiera_scan_trim(script, open + 1, end);
        if (ranks.length > 0)
            clause->ranks = hiera_description_ranks(reader, ranks);
    }
    while (!reader->failed && hiera_scan_char(script, at) == ':' && hiera_scan_char(script, at + 1) == ':')
        at = hiera_scan_blanks(script, read_part(reader, clause, at));
    clause->description = hiera_scan_trim(script, word, at);
    if (!reader->failed)
        check_parts(reader, clause);
    return at;
}
