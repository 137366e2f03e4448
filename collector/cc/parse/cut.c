/* Split a source into tokens and preprocessor directives. */
#include "unit.h"

#include <string.h>

/* Return the offset behind the string or character literal that begins at `at`. */
static size_t skip_quoted(const HieraSource *source, size_t at)
{
    char quote = source->text[at++];
    while (at < source->length && source->text[at] != quote && source->text[at] != '\n')
        at += source->text[at] == '\\' && at + 1 < source->length ? 2 : 1;
    return at < source->length && source->text[at] == quote ? at + 1 : at;
}

/* Return the offset of the end of the directive's line, with continuation lines and comments of several lines. */
static size_t end_of_directive(const HieraSource *source, size_t at)
{
    const char *text = source->text;
    bool is_comment = false;
    while (at < source->length && text[at] != '\n') {
        size_t spliced = text[at] == '\\' ? 1 + (text[at + 1] == '\r') : 0;
        if (spliced > 0 && text[at + spliced] == '\n')
            at += spliced + 1;
        else if (!is_comment && text[at] == '/' && text[at + 1] == '*') {
            const char *end = strstr(text + at + 2, "*/");
            at = end ? (size_t)(end - text) + 2 : source->length;
        } else if (!is_comment && (text[at] == '"' || text[at] == '\''))
            at = skip_quoted(source, at);
        else {
            is_comment = is_comment || (text[at] == '/' && text[at + 1] == '/');
            at++;
        }
    }
    return at > 0 && at < source->length && text[at - 1] == '\r' ? at - 1 : at;
}

static bool is_skipped(const CXSourceRangeList *skipped, size_t at)
{
    for (unsigned i = 0; i < skipped->count; i++) {
        unsigned begin, end;
        clang_getExpansionLocation(clang_getRangeStart(skipped->ranges[i]), NULL, NULL, NULL, &begin);
        clang_getExpansionLocation(clang_getRangeEnd(skipped->ranges[i]), NULL, NULL, NULL, &end);
        if (at >= begin && at < end)
            return true;
    }
    return false;
}

/* Whether no token precedes the `#` at `at` on its line. */
static bool begins_line(const HieraSource *source, size_t previous_end, size_t at)
{
    return previous_end == 0 || memchr(source->text + previous_end, '\n', at - previous_end);
}

static HieraSourceSpan span_of(const HieraTranslationUnit *unit, CXToken token)
{
    CXSourceRange range = clang_getTokenExtent(unit->clang, token);
    unsigned begin, end;
    clang_getSpellingLocation(clang_getRangeStart(range), NULL, NULL, NULL, &begin);
    clang_getSpellingLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
    return (HieraSourceSpan){begin, end};
}

static void sort(HieraTranslationUnit *unit, const CXToken *tokens, unsigned n)
{
    CXSourceRangeList *skipped = clang_getSkippedRanges(unit->clang, unit->file);
    size_t previous_end = 0, in_directive = 0;
    for (unsigned i = 0; i < n; i++) {
        HieraSourceSpan span = span_of(unit, tokens[i]);
        if (span.begin < in_directive || clang_getTokenKind(tokens[i]) == CXToken_Comment)
            continue;
        bool is_directive =
            unit->source->text[span.begin] == '#' && begins_line(unit->source, previous_end, span.begin);
        if (is_directive)
            span.end = in_directive = end_of_directive(unit->source, span.begin);
        previous_end = span.end;
        if (is_skipped(skipped, span.begin))
            continue;
        if (is_directive)
            *HIERA_GROW(unit->directives, unit->n_directives) = span;
        else
            *HIERA_GROW(unit->tokens, unit->n_tokens) = span;
    }
    clang_disposeSourceRangeList(skipped);
}

void hiera_unit_cut(HieraTranslationUnit *unit)
{
    CXToken *tokens = NULL;
    unsigned n = 0;
    CXSourceLocation begin = clang_getLocationForOffset(unit->clang, unit->file, 0);
    CXSourceLocation end = clang_getLocationForOffset(unit->clang, unit->file, (unsigned)unit->source->length);
    clang_tokenize(unit->clang, clang_getRange(begin, end), &tokens, &n);
    sort(unit, tokens, n);
    clang_disposeTokens(unit->clang, tokens, n);
}

size_t hiera_unit_token(const HieraTranslationUnit *unit, size_t at)
{
    size_t first = 0, end = unit->n_tokens;
    while (first < end) {
        size_t middle = (first + end) / 2;
        if (unit->tokens[middle].begin < at)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

bool hiera_unit_token_is(const HieraTranslationUnit *unit, size_t token, const char *text)
{
    size_t length = strlen(text);
    return token < unit->n_tokens && unit->tokens[token].end - unit->tokens[token].begin == length &&
           memcmp(unit->source->text + unit->tokens[token].begin, text, length) == 0;
}
