/* Find out how variables can be read: see pragmas.h. The source is parsed once more, with two statements for each
 * variable in place of its assertion: one that uses it, and one that takes its address. The types that libclang gives
 * to them tell what the variable is. */
#include "edits.h"

#include "run/words.h"

#include <stdlib.h>
#include <string.h>

static char *probe(const HieraPragmas *pragmas, size_t i)
{
    char *text = hiera_words_format("%s", "");
    for (size_t v = 0; v < pragmas->at[i].n_variables; v++) {
        const char *name = pragmas->at[i].variables[v].name;
        text = hiera_words_format("%s(void)(%s); (void)&(%s); ", text, name, name);
    }
    return text;
}

/* Set each variable's spans of the two statements that probe() made; their text begins at offset `at`. */
static void place_probes(HieraPragma *pragma, size_t at)
{
    for (size_t v = 0; v < pragma->n_variables; v++) {
        HieraVariable *variable = &pragma->variables[v];
        size_t length = strlen(variable->name);
        variable->probe = (HieraSourceSpan){at, at + length + sizeof "(void)();" - 1};
        variable->address =
            (HieraSourceSpan){variable->probe.end + 1, variable->probe.end + length + sizeof "(void)&(); " - 1};
        at = variable->address.end + 1;
    }
}

typedef struct Probes {
    HieraPragmas *pragmas;
    const HieraTranslationUnit *unit;
    const HieraClangError *errors;
    size_t n_errors;
} Probes;

static const HieraClangError *error_in(const Probes *probes, HieraSourceSpan span)
{
    for (size_t i = 0; i < probes->n_errors; i++) {
        if (hiera_span_has(span, probes->errors[i].at))
            return &probes->errors[i];
    }
    return NULL;
}

/* Return the span of `$name` in the source; if it is not found, that of the pragma's words. */
static HieraSourceSpan place_of(const HieraPragma *pragma, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = pragma->text; (at = strchr(at, '$')) != NULL; at++) {
        const char *end = at + 1 + strspn(at + 1, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if ((size_t)(end - at) == length + 1 && memcmp(at + 1, name, length) == 0)
            return (HieraSourceSpan){pragma->places[at - pragma->text], pragma->places[end - pragma->text - 1] + 1};
    }
    return pragma->word;
}

static void refuse(Probes *probes, HieraPragma *pragma, const HieraVariable *variable, const char *format,
                   const char *what)
{
    hiera_pragmas_refuse(probes->pragmas, pragma, place_of(pragma, variable->name), format, variable->name, what);
}

/* --- whether an expression is a constant, and whether it is a number --- */

static enum CXChildVisitResult keep_first(CXCursor cursor, CXCursor parent, CXClientData first)
{
    (void)parent;
    *(CXCursor *)first = cursor;
    return CXChildVisit_Break;
}

static CXCursor first_child(CXCursor cursor)
{
    CXCursor first = clang_getNullCursor();
    clang_visitChildren(cursor, keep_first, &first);
    return first;
}

/* Return the expression inside parentheses and implicit conversions. */
static CXCursor strip(CXCursor cursor)
{
    for (enum CXCursorKind kind = clang_getCursorKind(cursor);
         kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr; kind = clang_getCursorKind(cursor)) {
        CXCursor inner = first_child(cursor);
        if (clang_Cursor_isNull(inner))
            break;
        cursor = inner;
    }
    return cursor;
}

/* Whether the expression is a name whose value never changes: an enumerator, a const variable, … */
static bool is_constant_name(CXCursor expression)
{
    CXCursor declared = clang_getCursorReferenced(expression);
    enum CXCursorKind kind = clang_getCursorKind(declared);
    CXType type = clang_getCursorType(declared);
    return kind == CXCursor_EnumConstantDecl || kind == CXCursor_NonTypeTemplateParameter ||
           (kind == CXCursor_VarDecl && clang_isConstQualifiedType(type) && !clang_isVolatileQualifiedType(type));
}

static bool is_address_of(CXCursor expression)
{
    enum CXTypeKind inner = clang_getCanonicalType(clang_getCursorType(first_child(expression))).kind;
    return clang_getCanonicalType(clang_getCursorType(expression)).kind == CXType_Pointer && inner != CXType_Pointer &&
           inner != CXType_ConstantArray;
}

static enum CXChildVisitResult find_changing(CXCursor cursor, CXCursor parent, CXClientData changes)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_UnaryExpr || (kind == CXCursor_UnaryOperator && is_address_of(cursor)))
        return CXChildVisit_Continue; /* sizeof or an address: constant even if the operand is not */
    bool is_name = kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr;
    if (kind == CXCursor_CallExpr || (is_name && !is_constant_name(cursor))) {
        *(bool *)changes = true;
        return CXChildVisit_Break;
    }
    return CXChildVisit_Recurse;
}

/* Whether the value of an expression never changes. */
static bool is_constant(CXCursor expression)
{
    bool changes = false;
    find_changing(expression, expression, &changes);
    if (!changes && !(clang_getCursorKind(expression) == CXCursor_UnaryOperator && is_address_of(expression)))
        clang_visitChildren(expression, find_changing, &changes);
    return !changes;
}

static const char *why_no_number(CXType type, bool is_comm)
{
    CXType canonical = clang_getCanonicalType(type);
    enum CXTypeKind kind = canonical.kind;
    if (kind == CXType_Atomic)
        return why_no_number(clang_Type_getValueType(canonical), is_comm);
    if (kind == CXType_Dependent || kind == CXType_Unexposed || kind == CXType_Auto)
        return NULL; /* the type is known only when the template is instantiated */
    bool is_integer = kind >= CXType_Bool && kind <= CXType_LongLong && kind != CXType_UInt128 &&
                      kind != CXType_Char16 && kind != CXType_Char32;
    if (is_comm)
        return kind == CXType_Pointer || kind == CXType_Int ? NULL : "no communicator";
    if (is_integer || kind == CXType_Float || kind == CXType_Double || kind == CXType_LongDouble ||
        (kind == CXType_Enum && clang_Type_getSizeOf(canonical) == sizeof(int)))
        return NULL;
    if (kind == CXType_Pointer)
        return "a pointer, and no number";
    if (kind == CXType_Record)
        return "a structure, and no number";
    if (kind == CXType_ConstantArray || kind == CXType_IncompleteArray || kind == CXType_VariableArray)
        return "an array, and no number";
    return "of a type that assertions do not know";
}

/* --- which assertions are refused --- */

static void explain_unknown(Probes *probes, HieraPragma *pragma, const HieraVariable *variable, const char *message)
{
    static const char hint[] = "did you mean '";
    const char *meant = strstr(message, hint);
    if (strncmp(message, "use of undeclared identifier", 28) != 0)
        refuse(probes, pragma, variable, "'$%s' cannot be used here: %s", message);
    else if (meant)
        refuse(probes, pragma, variable, "unknown variable '$%s'; did you mean '$%s'?",
               hiera_words_format("%.*s", (int)strcspn(meant + sizeof hint - 1, "'"), meant + sizeof hint - 1));
    else
        refuse(probes, pragma, variable, "unknown variable '$%s'%s", "");
}

static void explain_no_address(Probes *probes, HieraPragma *pragma, const HieraVariable *variable, CXCursor expression,
                               const char *message)
{
    CXCursor declared = clang_getCursorReferenced(expression);
    if (clang_Cursor_getStorageClass(declared) == CX_SC_Register)
        refuse(probes, pragma, variable, "'$%s' is a register variable%s", ", which has no address");
    else if (clang_Cursor_isBitField(declared))
        refuse(probes, pragma, variable, "'$%s' is a bit-field%s", ", which has no address");
    else if (strstr(message, "rvalue"))
        refuse(probes, pragma, variable, "'$%s' is no variable, but made of variables%s",
               "; its value at the end of the region cannot be read");
    else
        refuse(probes, pragma, variable, "'$%s' cannot be read at the end of the region: %s", message);
}

static void judge(Probes *probes, HieraPragma *pragma, HieraVariable *variable, CXCursor use)
{
    CXCursor expression = strip(first_child(use));
    const char *reason = why_no_number(clang_getCursorType(expression), variable->is_comm);
    const HieraClangError *no_address = error_in(probes, variable->address);
    if (reason)
        refuse(probes, pragma, variable, "'$%s' is %s", reason);
    else if (is_constant(expression))
        variable->is_copied = true;
    else if (no_address)
        explain_no_address(probes, pragma, variable, expression, no_address->message);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    Probes *probes = data;
    HieraSourceSpan span;
    (void)parent;
    if (!hiera_unit_span(probes->unit, cursor, &span) || clang_getCursorKind(cursor) != CXCursor_CStyleCastExpr)
        return CXChildVisit_Recurse;
    for (size_t i = 0; i < probes->pragmas->n; i++) {
        HieraPragma *pragma = &probes->pragmas->at[i];
        for (size_t v = 0; v < pragma->n_variables && !pragma->is_dropped; v++) {
            if (pragma->variables[v].probe.begin == span.begin)
                judge(probes, pragma, &pragma->variables[v], cursor);
        }
    }
    return CXChildVisit_Recurse;
}

/* Refuse assertions with a variable whose use is an error for clang. */
static void check_uses(Probes *probes)
{
    for (size_t i = 0; i < probes->pragmas->n; i++) {
        HieraPragma *pragma = &probes->pragmas->at[i];
        for (size_t v = 0; v < pragma->n_variables && !pragma->is_dropped; v++) {
            const HieraClangError *error = error_in(probes, pragma->variables[v].probe);
            if (error)
                explain_unknown(probes, pragma, &pragma->variables[v], error->message);
        }
    }
}

static bool is_in_probe(const HieraPragmas *pragmas, size_t at)
{
    for (size_t i = 0; i < pragmas->n; i++) {
        for (size_t v = 0; v < pragmas->at[i].n_variables; v++) {
            const HieraVariable *variable = &pragmas->at[i].variables[v];
            if (at >= variable->probe.begin && at < variable->address.end)
                return true;
        }
    }
    return false;
}

/* Refuse assertions whose braces cause a new error in their function. Errors are compared by line, which edits keep. */
static void check_braces(Probes *probes, const HieraClangError *before, size_t n_before)
{
    const HieraSource *source = probes->pragmas->source;
    for (size_t e = 0; e < probes->n_errors; e++) {
        const HieraClangError *error = &probes->errors[e];
        bool is_old = is_in_probe(probes->pragmas, error->at);
        for (size_t i = 0; i < n_before && !is_old; i++)
            is_old = before[i].line == error->line;
        for (size_t i = 0; i < probes->pragmas->n && !is_old; i++) {
            HieraPragma *pragma = &probes->pragmas->at[i];
            if (!pragma->is_dropped && error->line >= hiera_source_line(source, pragma->function.begin) &&
                error->line <= hiera_source_line(source, pragma->function.end))
                hiera_pragmas_refuse(probes->pragmas, pragma, pragma->word,
                                     "a region is not possible here: line %u: %s", error->line, error->message);
        }
    }
}

bool hiera_variables_check(HieraPragmas *pragmas, const HieraClangError *before, size_t n, const char *const *arguments,
                           int n_arguments)
{
    HieraEdits probing = hiera_edits_make(pragmas, probe);
    HieraSource source = {pragmas->source->name, probing.text, probing.length};
    HieraTranslationUnit unit;
    char *fatal;
    for (size_t i = 0; i < pragmas->n; i++)
        place_probes(&pragmas->at[i], probing.begins[i]);
    if (!hiera_unit_parse(&unit, &source, arguments, n_arguments))
        return false;
    Probes probes = {.pragmas = pragmas, .unit = &unit};
    probes.errors = hiera_unit_errors(&unit, &probes.n_errors, &fatal);
    check_uses(&probes);
    clang_visitChildren(clang_getTranslationUnitCursor(unit.clang), visit, &probes);
    check_braces(&probes, before, n);
    return true;
}
