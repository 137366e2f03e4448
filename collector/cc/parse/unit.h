/* A source after parsing by libclang and tokenizing. */
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

/* The begin and end of a cursor in the file. */
bool hiera_unit_span(const HieraTranslationUnit *unit, CXCursor cursor, HieraSourceSpan *span);

/* Parse a source. @return  false if libclang cannot; then a message is printed */
bool hiera_unit_parse(HieraTranslationUnit *unit, const HieraSource *source, const char *const *arguments, int n);

/* Split the source into tokens and directives. */
void hiera_unit_cut(HieraTranslationUnit *unit);
/* Index of the first token that begins at or after a byte; n_tokens if there is none. */
size_t hiera_unit_token(const HieraTranslationUnit *unit, size_t at);
bool hiera_unit_token_is(const HieraTranslationUnit *unit, size_t token, const char *text);

/* An error that clang has found in the file. */
typedef struct HieraClangError {
    size_t at;
    unsigned line;
    char *message;
} HieraClangError;

/* The errors in the file. @param fatal  becomes the first error that made clang stop, in any file, or NULL */
HieraClangError *hiera_unit_errors(const HieraTranslationUnit *unit, size_t *n, char **fatal);
