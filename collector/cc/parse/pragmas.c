/* Find the assertions of a source: see pragmas.h. A directive may have several lines and comments, so its bytes are
 * first copied without them. */
#include "pragmas.h"

#include "run/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of a directive on one line, without line continuations and comments. */
typedef struct Plain {
    char *text;
    size_t *places; /* [i]: offset in the source of byte i of `text`; [n]: offset of its end */
    size_t n;
} Plain;

/* Append the byte at offset `place` of the source. A blank after a blank is dropped, except in string literals. */
static void put(Plain *plain, char c, size_t place, bool quoted)
{
    if (c == ' ' && !quoted && plain->n > 0 && plain->text[plain->n - 1] == ' ')
        return;
    plain->text[plain->n] = c;
    plain->places[plain->n++] = place;
}

static size_t skip_comment(const char *text, HieraSourceSpan span, size_t at)
{
    if (text[at + 1] == '/')
        return span.end;
    const char *end = strstr(text + at + 2, "*/");
    return end && (size_t)(end - text) + 2 < span.end ? (size_t)(end - text) + 2 : span.end;
}

static Plain make_plain(const HieraSource *source, HieraSourceSpan span)
{
    const char *text = source->text;
    size_t room = span.end - span.begin + 2;
    Plain plain = {calloc(room, 1), calloc(room, sizeof *plain.places), 0};
    if (!plain.text || !plain.places)
        hiera_run_fail("no memory");
    bool quoted = false;
    for (size_t at = span.begin; at < span.end;) {
        size_t spliced = text[at] != '\\'                         ? 0
                         : text[at + 1] == '\n'                   ? 2
                         : strncmp(text + at + 1, "\r\n", 2) == 0 ? 3
                                                                  : 0;
        if (spliced > 0) {
            at += spliced;
        } else if (!quoted && text[at] == '/' && (text[at + 1] == '*' || text[at + 1] == '/')) {
            put(&plain, ' ', at, false);
            at = skip_comment(text, span, at);
        } else {
            quoted = quoted != (text[at] == '"');
            put(&plain, strchr("\t\n\r", text[at]) ? ' ' : text[at], at, quoted);
            at++;
        }
    }
    while (plain.n > 0 && plain.text[plain.n - 1] == ' ')
        plain.n--;
    plain.text[plain.n] = '\0';
    plain.places[plain.n] = plain.n > 0 ? plain.places[plain.n - 1] + 1 : span.begin;
    return plain;
}

static size_t skip_blanks(const Plain *plain, size_t at)
{
    return at + strspn(plain->text + at, " ");
}

/* Return the end of `word` in the text if it stands at `at` as a whole word; else 0. */
static size_t skip_word(const Plain *plain, size_t at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(plain->text + at, word, length) != 0)
        return 0;
    char next = plain->text[at + length];
    bool ends = next != '_' && !(next >= '0' && next <= '9') && !((next | 32) >= 'a' && (next | 32) <= 'z');
    return ends ? at + length : 0;
}

size_t hiera_pragmas_count(const HieraPragmas *pragmas)
{
    size_t n = 0;
    for (size_t i = 0; i < pragmas->n; i++)
        n += !pragmas->at[i].is_dropped;
    return n;
}

void hiera_pragmas_refuse(HieraPragmas *pragmas, HieraPragma *pragma, HieraSourceSpan place, const char *format, ...)
{
    char message[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    bool is_error = !pragma->is_original && !pragmas->lenient;
    *HIERA_GROW(pragmas->mistakes, pragmas->n_mistakes) = (HieraMistake){
        place, is_error,
        hiera_words_format("%s%s", message, is_error ? " [-Werror=hiera]" : "; the assertion is skipped")};
    pragma->is_dropped = true;
}

static int compare(const void *a, const void *b)
{
    const HieraMistake *x = a, *y = b;
    return x->place.begin < y->place.begin ? -1 : x->place.begin > y->place.begin;
}

unsigned hiera_pragmas_tell(const HieraPragmas *pragmas)
{
    unsigned n_errors = 0;
    if (pragmas->n_mistakes > 0)
        qsort(pragmas->mistakes, pragmas->n_mistakes, sizeof *pragmas->mistakes, compare);
    for (size_t i = 0; i < pragmas->n_mistakes; i++) {
        const HieraMistake *mistake = &pragmas->mistakes[i];
        hiera_source_tell(pragmas->source, mistake->is_error, mistake->place, "%s", mistake->message);
        n_errors += mistake->is_error;
    }
    return n_errors;
}

/* Add the directive to the pragmas if it is `#pragma hiera …` or `#pragma perfAssertion`. */
static void add(HieraPragmas *pragmas, HieraSourceSpan span)
{
    Plain plain = make_plain(pragmas->source, span);
    size_t at = skip_word(&plain, skip_blanks(&plain, 1), "pragma");
    if (at == 0)
        return;
    size_t begin = skip_blanks(&plain, at), end = skip_word(&plain, begin, "perfAssertion");
    bool is_original = end > 0;
    size_t hiera = is_original ? 0 : skip_word(&plain, begin, "hiera");
    if (hiera > 0)
        end = skip_word(&plain, skip_blanks(&plain, hiera), "assert");
    if (!is_original && hiera == 0)
        return;
    HieraPragma *pragma = HIERA_GROW(pragmas->at, pragmas->n);
    *pragma = (HieraPragma){.span = span, .is_original = is_original};
    pragma->word = (HieraSourceSpan){plain.places[begin], plain.places[end ? end : plain.n - 1] + (end ? 0 : 1)};
    if (end == 0) {
        hiera_pragmas_refuse(pragmas, pragma, pragma->word, "after 'hiera' stands 'assert' and what is expected");
        return;
    }
    begin = skip_blanks(&plain, end);
    pragma->text = plain.text + begin;
    pragma->places = plain.places + begin;
}

/* Refuse `_Pragma("hiera assert …")`, since it may come from a macro: then there is no text to replace. */
static void refuse_operators(HieraPragmas *pragmas, const HieraTranslationUnit *unit)
{
    const char *text = unit->source->text;
    for (const char *at = text; (at = strstr(at, "_Pragma")) != NULL; at++) {
        HieraSourceSpan span = {(size_t)(at - text), (size_t)(at - text) + 7};
        size_t length = strcspn(at, "\n");
        const char *quote = memchr(at, '"', length);
        const char *word = quote ? quote + 1 + strspn(quote + 1, " ") : NULL;
        bool is_original = word && strncmp(word, "perfAssertion", 13) == 0;
        bool is_ours = is_original || (word && strncmp(word, "hiera ", 6) == 0);
        size_t token = hiera_unit_token(unit, span.begin);
        bool is_code = token < unit->n_tokens && unit->tokens[token].begin == span.begin;
        for (size_t i = 0; i < unit->n_directives && !is_code; i++)
            is_code = hiera_span_has(unit->directives[i], span.begin);
        if (!is_ours || !is_code)
            continue;
        HieraPragma *pragma = HIERA_GROW(pragmas->at, pragmas->n);
        *pragma = (HieraPragma){.span = span, .word = span, .is_original = is_original};
        hiera_pragmas_refuse(pragmas, pragma, span,
                             "an assertion is a line '#pragma …', not _Pragma or a part of a macro");
    }
}

void hiera_pragmas_find(HieraPragmas *pragmas, const HieraTranslationUnit *unit)
{
    for (size_t i = 0; i < unit->n_directives; i++)
        add(pragmas, unit->directives[i]);
    refuse_operators(pragmas, unit);
}
