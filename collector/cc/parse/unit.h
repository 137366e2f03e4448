/* A source file as libclang has parsed it, and its tokens. */
#pragma once

#include "source.h"

#include <clang-c/Index.h>

typedef struct HieraTranslationUnit {
    const HieraSource *source;
    CXTranslationUnit clang;
    CXFile file;
    /* Only the parts that `#if` does not skip. tokens: tokens outside of directives, without comments; directives: from
     * their `#` to the end of the (continued) line. */
    HieraSourceSpan *tokens, *directives;
    size_t n_tokens, n_directives;
} HieraTranslationUnit;

/* Convert a location of clang to an offset in the file; in a macro, to the place where the macro is used. False if the
 * location is in another file. */
bool hiera_unit_place(const HieraTranslationUnit *unit, CXSourceLocation location, size_t *at);

/* Set *span to the source bytes of a cursor. @return  false if it begins or ends in another file */
bool hiera_unit_span(const HieraTranslationUnit *unit, CXCursor cursor, HieraSourceSpan *span);

/* Parse a source. @return  false if libclang cannot; errors in the source are no failure */
bool hiera_unit_parse(HieraTranslationUnit *unit, const HieraSource *source, const char *const *arguments, int n);

/* Set unit->tokens and unit->directives to the spans of the source's tokens and directives. */
void hiera_unit_cut(HieraTranslationUnit *unit);
/* Index of the first token that begins at or after the offset `at`; n_tokens if there is none. */
size_t hiera_unit_token(const HieraTranslationUnit *unit, size_t at);
bool hiera_unit_token_is(const HieraTranslationUnit *unit, size_t token, const char *text);

/* An error that clang has found in the source file, not in a header. */
typedef struct HieraClangError {
    size_t at;
    unsigned line;
    char *message;
} HieraClangError;

/* Return clang's errors in the source file. @param fatal  set to the first fatal error in any file; NULL: none */
HieraClangError *hiera_unit_errors(const HieraTranslationUnit *unit, size_t *n, char **fatal);
