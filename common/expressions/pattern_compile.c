/* Makes an automaton from a pattern (Thompson's construction): see pattern.h. Every part of the pattern becomes a
 * fragment, with a first state and a last state whose out[0] leads to what follows. */
#include "pattern_parser.h"
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 30 }; /* maximum nesting of groups */

typedef struct {
    uint8_t start, last;
} Fragment;

static Fragment new_state(HieraPatternParser *parser, HieraStateKind kind, uint32_t argument)
{
    HieraPattern *pattern = parser->pattern;
    if (pattern->n_states == HIERA_PATTERN_STATES) {
        HIERA_PATTERN_FAIL(parser, parser->at - 1, parser->at, "the pattern is too long: only %d parts are possible",
                           HIERA_PATTERN_STATES);
        return (Fragment){0, 0};
    }
    uint8_t state = (uint8_t)pattern->n_states++;
    pattern->states[state] = (HieraState){.kind = (uint8_t)kind, .argument = argument};
    return (Fragment){state, state};
}

static void lead(HieraPatternParser *parser, Fragment from, Fragment to)
{
    parser->pattern->states[from.last].out[0] = to.start;
}

static bool is_one_of(char c, const char *signs)
{
    return c != '\0' && strchr(signs, c);
}

static Fragment read_alternatives(HieraPatternParser *parser);

static Fragment read_group(HieraPatternParser *parser)
{
    size_t begin = parser->at - 1;
    if (++parser->depth > DEEPEST)
        HIERA_PATTERN_FAIL(parser, begin, begin + 1, "the pattern has more than %d groups in each other", DEEPEST);
    if (hiera_pattern_peek(parser) == '?')
        HIERA_PATTERN_FAIL(parser, begin, parser->at + 1, "(?…) is not part of the language; groups are written (…)");
    Fragment fragment = read_alternatives(parser);
    parser->depth--;
    if (hiera_pattern_peek(parser) != ')')
        HIERA_PATTERN_FAIL(parser, begin, begin + 1, "the group that begins here has no end: ) is missing");
    parser->at += parser->at < parser->end;
    return fragment;
}

static Fragment read_escape(HieraPatternParser *parser)
{
    uint32_t class_, character = hiera_pattern_read_escape(parser, &class_);
    if (character == HIERA_ESCAPE_CLASS)
        return new_state(parser, HIERA_STATE_CLASS, class_);
    return new_state(parser, HIERA_STATE_CHARACTER, character);
}

/* Check that the character at `at` may stand for itself, without a backslash. */
static void check_literal(HieraPatternParser *parser, size_t at)
{
    const char *text = parser->lexer->text;
    if (is_one_of(text[at], "*+?"))
        HIERA_PATTERN_FAIL(parser, at, at + 1,
                           "nothing stands before '%c' that could be repeated; write \\%c for the sign", text[at],
                           text[at]);
    else if (text[at] == '{' && at + 1 < parser->end && text[at + 1] >= '0' && text[at + 1] <= '9')
        HIERA_PATTERN_FAIL(parser, at, at + 1, "patterns cannot count repetitions; write \\{ for the sign");
}

static Fragment read_atom(HieraPatternParser *parser)
{
    size_t begin = parser->at;
    uint32_t character = hiera_pattern_read(parser);
    switch (character) {
    case '(':
        return read_group(parser);
    case '[':
        return new_state(parser, HIERA_STATE_CLASS, hiera_pattern_read_class(parser));
    case '\\':
        return read_escape(parser);
    case '.':
        return new_state(parser, HIERA_STATE_ANY, 0);
    case '^':
        return new_state(parser, HIERA_STATE_BEGIN, 0);
    case '$':
        return new_state(parser, HIERA_STATE_FINISH, 0);
    default:
        check_literal(parser, begin);
        return new_state(parser, HIERA_STATE_CHARACTER, character);
    }
}

static Fragment repeat(HieraPatternParser *parser, Fragment fragment, char how)
{
    HieraPattern *pattern = parser->pattern;
    Fragment split = new_state(parser, HIERA_STATE_SPLIT, 0);
    pattern->states[split.start].out[1] = fragment.start;
    if (how != '?') {
        lead(parser, fragment, split);
        return how == '*' ? split : (Fragment){fragment.start, split.last};
    }
    Fragment end = new_state(parser, HIERA_STATE_PASS, 0);
    lead(parser, fragment, end);
    lead(parser, split, end);
    return (Fragment){split.start, end.last};
}

static Fragment read_piece(HieraPatternParser *parser)
{
    size_t begin = parser->at;
    bool is_anchor = hiera_pattern_peek(parser) == '^' || hiera_pattern_peek(parser) == '$';
    Fragment fragment = read_atom(parser);
    char how = hiera_pattern_peek(parser);
    if (!is_one_of(how, "*+?"))
        return fragment;
    if (is_anchor)
        HIERA_PATTERN_FAIL(parser, begin, begin + 2, "an anchor cannot be repeated");
    parser->at += parser->at < parser->end;
    char another = hiera_pattern_peek(parser);
    if (is_one_of(another, "*+?"))
        HIERA_PATTERN_FAIL(parser, parser->at, parser->at + 1, "only one of * + ? can follow; use a group: (…)%c",
                           another);
    return repeat(parser, fragment, how);
}

static Fragment read_sequence(HieraPatternParser *parser)
{
    Fragment sequence = new_state(parser, HIERA_STATE_PASS, 0);
    while (parser->at < parser->end && !is_one_of(hiera_pattern_peek(parser), "|)")) {
        Fragment piece = read_piece(parser);
        lead(parser, sequence, piece);
        sequence.last = piece.last;
    }
    return sequence;
}

static Fragment read_alternatives(HieraPatternParser *parser)
{
    Fragment all = read_sequence(parser);
    while (hiera_pattern_peek(parser) == '|') {
        parser->at++;
        Fragment other = read_sequence(parser);
        Fragment split = new_state(parser, HIERA_STATE_SPLIT, 0), end = new_state(parser, HIERA_STATE_PASS, 0);
        lead(parser, split, all);
        parser->pattern->states[split.start].out[1] = other.start;
        lead(parser, all, end);
        lead(parser, other, end);
        all = (Fragment){split.start, end.last};
    }
    return all;
}

/* --- bytes at the begin of matches --- */

static void add_first(HieraPattern *pattern, const HieraState *state)
{
    bool other = state->kind == HIERA_STATE_CLASS || state->argument >= 0x80;
    for (unsigned byte = 0; byte < 256; byte++) {
        bool may = byte >= 0x80 ? other
                   : state->kind == HIERA_STATE_CLASS
                       ? hiera_pattern_in_class(pattern, &pattern->classes[state->argument], byte)
                       : state->argument == byte;
        if (may)
            pattern->first[byte / 8] |= (uint8_t)(1u << byte % 8);
    }
}

/* Find the bytes with which a match can begin, unless a match can be empty or begin with any character. */
static void find_first(HieraPattern *pattern)
{
    bool seen[HIERA_PATTERN_STATES] = {false};
    uint8_t stack[2 * HIERA_PATTERN_STATES];
    unsigned depth = 0;
    stack[depth++] = pattern->start;
    pattern->skips = true;
    while (depth > 0) {
        uint8_t at = stack[--depth];
        const HieraState *state = &pattern->states[at];
        if (seen[at])
            continue;
        seen[at] = true;
        if (state->kind == HIERA_STATE_CHARACTER || state->kind == HIERA_STATE_CLASS) {
            add_first(pattern, state);
        } else if (state->kind == HIERA_STATE_SPLIT || state->kind == HIERA_STATE_PASS) {
            stack[depth++] = state->out[0];
            if (state->kind == HIERA_STATE_SPLIT)
                stack[depth++] = state->out[1];
        } else {
            pattern->skips = false;
        }
    }
}

/* --- compiling a pattern --- */

static bool is_literal(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (is_one_of(text[i], "\\.[(*+?|^$){"))
            return false;
    }
    return true;
}

static void compile(HieraPatternParser *parser)
{
    Fragment all = read_alternatives(parser);
    if (parser->at < parser->end)
        HIERA_PATTERN_FAIL(parser, parser->at, parser->at + 1,
                           "no group is open that this ) could end; write \\) for the sign");
    Fragment match = new_state(parser, HIERA_STATE_MATCH, 0);
    lead(parser, all, match);
    HieraPattern *pattern = parser->pattern;
    pattern->start = all.start;
    uint8_t first = pattern->states[all.start].out[0];
    pattern->is_anchored =
        pattern->states[all.start].kind == HIERA_STATE_PASS && pattern->states[first].kind == HIERA_STATE_BEGIN;
    find_first(pattern);
}

HieraPattern *hiera_pattern_compile(HieraLexer *lexer, size_t begin, size_t end)
{
    /* at most 3 ranges for each byte: of all items of a class, `\W` with two bytes has the most, 5 */
    size_t n_ranges = 3 * (end - begin) + 4;
    HieraPattern *pattern = calloc(1, sizeof *pattern + n_ranges * sizeof pattern->ranges[0]);
    if (!pattern)
        return NULL;
    HieraPatternParser parser = {.lexer = lexer, .pattern = pattern, .at = begin, .end = end};
    pattern->source = malloc(end - begin + 1);
    if (pattern->source) {
        memcpy(pattern->source, lexer->text + begin, end - begin);
        pattern->length = (uint32_t)(end - begin);
        pattern->is_literal = is_literal(pattern->source, end - begin);
        if (!pattern->is_literal)
            compile(&parser);
        if (!lexer->failed)
            return pattern;
    }
    hiera_pattern_free(pattern);
    return NULL;
}

void hiera_pattern_free(HieraPattern *pattern)
{
    if (pattern)
        free(pattern->source);
    free(pattern);
}
