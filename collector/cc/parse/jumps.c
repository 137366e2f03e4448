/* Refuse regions that cannot be measured: code outside jumps into them, or their function may not have variables. See
 * pragmas.h. */
#include "pragmas.h"

typedef struct Jumps {
    HieraPragmas *pragmas;
    const HieraTranslationUnit *unit;
    HieraPragma *pragma;
    const size_t *in_switch; /* begin of the innermost switch around the visited cursor; NULL: none */
} Jumps;

static void refuse(Jumps *jumps, HieraSourceSpan place, const char *message)
{
    if (!jumps->pragma->is_dropped)
        hiera_pragmas_refuse(jumps->pragmas, jumps->pragma, place, "%s", message);
}

static enum CXChildVisitResult find_label(CXCursor cursor, CXCursor parent, CXClientData label)
{
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_LabelRef)
        return CXChildVisit_Recurse;
    *(CXCursor *)label = clang_getCursorReferenced(cursor);
    return CXChildVisit_Break;
}

/* Refuse the assertion if a `goto`, or a use of a label's address, at `span` may jump into its region. */
static void check_label(Jumps *jumps, CXCursor cursor, HieraSourceSpan span)
{
    CXCursor label = clang_getNullCursor();
    HieraSourceSpan to;
    clang_visitChildren(cursor, find_label, &label);
    if (clang_Cursor_isNull(label) || !hiera_unit_span(jumps->unit, label, &to) ||
        !hiera_span_has(jumps->pragma->statement, to.begin))
        return;
    if (clang_getCursorKind(cursor) == CXCursor_AddrLabelExpr)
        refuse(jumps, span, "a computed goto may jump into the region of an assertion");
    else if (!hiera_span_has(jumps->pragma->statement, span.begin))
        refuse(jumps, span, "this goto jumps into the region of an assertion");
}

static void check(Jumps *jumps, CXCursor cursor, enum CXCursorKind kind, HieraSourceSpan span)
{
    HieraSourceSpan region = jumps->pragma->statement;
    bool inside = hiera_span_has(region, span.begin);
    if (kind == CXCursor_GotoStmt || kind == CXCursor_AddrLabelExpr)
        check_label(jumps, cursor, span);
    else if (kind == CXCursor_IndirectGotoStmt && inside)
        refuse(jumps, span, "a computed goto may leave the region of an assertion, which would not end");
    else if ((kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt) && inside && jumps->in_switch &&
             *jumps->in_switch < region.begin)
        refuse(jumps, span, "this label belongs to a switch outside of the region of an assertion");
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    Jumps *jumps = data;
    (void)parent;
    HieraSourceSpan span;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (!hiera_unit_span(jumps->unit, cursor, &span))
        return CXChildVisit_Continue;
    check(jumps, cursor, kind, span);
    const size_t *outer = jumps->in_switch;
    if (kind == CXCursor_SwitchStmt)
        jumps->in_switch = &span.begin;
    clang_visitChildren(cursor, visit, jumps);
    jumps->in_switch = outer;
    return CXChildVisit_Continue;
}

/* Whether a token inside `span` is one of the words; *place becomes the span of that token. */
static bool has_word(const HieraTranslationUnit *unit, HieraSourceSpan span, const char *const *words,
                     HieraSourceSpan *place)
{
    for (size_t token = hiera_unit_token(unit, span.begin); token < unit->n_tokens; token++) {
        if (unit->tokens[token].begin >= span.end)
            return false;
        for (const char *const *word = words; *word; word++) {
            if (hiera_unit_token_is(unit, token, *word)) {
                *place = unit->tokens[token];
                return true;
            }
        }
    }
    return false;
}

/* Whether `span` contains an `asm goto`, also with `volatile` in between; *place becomes the span of `asm`. */
static bool has_asm_goto(const HieraTranslationUnit *unit, HieraSourceSpan span, HieraSourceSpan *place)
{
    static const char *const asms[] = {"asm", "__asm", "__asm__", NULL};
    static const char *const gotos[] = {"goto", NULL};
    while (has_word(unit, span, asms, place)) {
        HieraSourceSpan head = {place->end, span.end}, found;
        for (size_t token = hiera_unit_token(unit, place->end); token < unit->n_tokens; token++) {
            if (hiera_unit_token_is(unit, token, "(")) {
                head.end = unit->tokens[token].begin;
                break;
            }
        }
        if (has_word(unit, head, gotos, &found))
            return true;
        span.begin = place->end;
    }
    return false;
}

void hiera_jumps_check(HieraPragmas *pragmas, const HieraTranslationUnit *unit, HieraPragma *pragma, CXCursor function,
                       CXCursor body)
{
    static const char *const constants[] = {"constexpr", "consteval", NULL};
    static const char *const coroutines[] = {"co_await", "co_yield", "co_return", NULL};
    Jumps jumps = {.pragmas = pragmas, .unit = unit, .pragma = pragma};
    HieraSourceSpan place, whole = {0, 0}, head = pragma->function;
    hiera_unit_span(unit, body, &whole);
    head.end = whole.begin;
    if (has_word(unit, head, constants, &place))
        refuse(&jumps, place, "a function that is evaluated by the compiler cannot have a region");
    if (has_word(unit, whole, coroutines, &place))
        refuse(&jumps, place, "a coroutine cannot have a region, since it may continue in another thread");
    if (has_asm_goto(unit, pragma->statement, &place))
        refuse(&jumps, place, "asm goto may leave the region of an assertion, which would not end");
    clang_visitChildren(function, visit, &jumps);
}
