/* Parse a source by libclang, and collect clang's errors. */
#include "unit.h"

#include "run/words.h"

#include <string.h>

bool hiera_unit_place(const HieraTranslationUnit *unit, CXSourceLocation location, size_t *at)
{
    CXFile file;
    unsigned offset;
    clang_getExpansionLocation(location, &file, NULL, NULL, &offset);
    *at = offset;
    return file && clang_File_isEqual(file, unit->file);
}

bool hiera_unit_span(const HieraTranslationUnit *unit, CXCursor cursor, HieraSourceSpan *span)
{
    CXSourceRange range = clang_getCursorExtent(cursor);
    return hiera_unit_place(unit, clang_getRangeStart(range), &span->begin) &&
           hiera_unit_place(unit, clang_getRangeEnd(range), &span->end);
}

bool hiera_unit_parse(HieraTranslationUnit *unit, const HieraSource *source, const char *const *arguments, int n)
{
    struct CXUnsavedFile text = {source->name, source->text, source->length};
    CXIndex index = clang_createIndex(0, 0);
    *unit = (HieraTranslationUnit){.source = source};
    enum CXErrorCode error = clang_parseTranslationUnit2(index, source->name, arguments, n, &text, 1,
                                                         CXTranslationUnit_DetailedPreprocessingRecord, &unit->clang);
    if (error == CXError_Success && unit->clang)
        unit->file = clang_getFile(unit->clang, source->name);
    return unit->file != NULL;
}

static void note(const HieraTranslationUnit *unit, CXDiagnostic diagnostic, HieraClangError **errors, size_t *n,
                 char **fatal)
{
    enum CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
    if (severity < CXDiagnostic_Error)
        return;
    CXString text = clang_getDiagnosticSpelling(diagnostic);
    char *message = hiera_words_format("%s", clang_getCString(text));
    clang_disposeString(text);
    size_t at;
    CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
    if (severity == CXDiagnostic_Fatal && !*fatal)
        *fatal = message;
    if (hiera_unit_place(unit, location, &at))
        *HIERA_GROW(*errors, *n) = (HieraClangError){at, hiera_source_line(unit->source, at), message};
}

HieraClangError *hiera_unit_errors(const HieraTranslationUnit *unit, size_t *n, char **fatal)
{
    HieraClangError *errors = NULL;
    *n = 0;
    *fatal = NULL;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit->clang); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit->clang, i);
        note(unit, diagnostic, &errors, n, fatal);
        clang_disposeDiagnostic(diagnostic);
    }
    return errors;
}
