/* A source as libclang sees it: parsed, and cut into tokens. */
#ifndef HIERA_CC_UNIT_H
#define HIERA_CC_UNIT_H

#include "source.h"

#include <clang-c/Index.h>

typedef struct HieraTranslationUnit {
    const HieraSource *source;
    CXTranslationUnit clang;
    CXFile file;
    /* What is compiled, without what `#if` skips: tokens outside of directives, without comments; directives, from
     * their `#` to the end of their (continued) line. */
    HieraSourceSpan *tokens, *directives;
    size_t n_tokens, n_directives;
} HieraTranslationUnit;

/* Where something that clang has seen stands in the text of the file: the use of a macro, not what is in it. False if
 * it is in another file. */
bool hiera_unit_place(const HieraTranslationUnit *unit, CXSourceLocation location, size_t *at);

/* Where something begins and ends. */
bool hiera_unit_span(const HieraTranslationUnit *unit, CXCursor cursor, HieraSourceSpan *span);

/* Parse a source. @return  false if libclang cannot; a message says so */
bool hiera_unit_parse(HieraTranslationUnit *unit, const HieraSource *source, const char *const *arguments, int n);

/* Cut it into tokens. */
void hiera_unit_cut(HieraTranslationUnit *unit);
/* Index of the first token that does not begin before a byte; n_tokens if there is none. */
size_t hiera_unit_token(const HieraTranslationUnit *unit, size_t at);
bool hiera_unit_token_is(const HieraTranslationUnit *unit, size_t token, const char *text);

/* An error that clang has found in the file. */
typedef struct HieraClangError {
    size_t at;
    unsigned line;
    char *message;
} HieraClangError;

/* The errors in the file. @param fatal  becomes the first one after which clang has stopped, wherever that is, or NULL
 */
HieraClangError *hiera_unit_errors(const HieraTranslationUnit *unit, size_t *n, char **fatal);

#endif
