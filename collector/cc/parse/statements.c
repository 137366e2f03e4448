/* Find the statement of each assertion: the outermost one that begins with the next token behind the pragma. If that
 * token is the name of a macro, the whole macro belongs to the region. See pragmas.h. */
#include "pragmas.h"

#include <string.h>

/* A cursor (node of clang's syntax tree) during the walk, with the cursors around it. */
typedef struct Frame {
    const struct Frame *up;
    CXCursor cursor;
} Frame;

typedef struct Walk {
    HieraPragmas *pragmas;
    const HieraTranslationUnit *unit;
    const Frame *frame;
    size_t *next; /* [i]: index in unit->tokens of the token that follows pragma i */
} Walk;

static bool is_function(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
           kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction || kind == CXCursor_FunctionTemplate ||
           kind == CXCursor_LambdaExpr;
}

static bool is_loop(enum CXCursorKind kind)
{
    return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt ||
           kind == CXCursor_CXXForRangeStmt;
}

static enum CXChildVisitResult keep_last(CXCursor cursor, CXCursor parent, CXClientData last)
{
    (void)parent;
    *(CXCursor *)last = cursor;
    return CXChildVisit_Continue;
}

static CXCursor last_child(CXCursor cursor)
{
    CXCursor last = clang_getNullCursor();
    clang_visitChildren(cursor, keep_last, &last);
    return last;
}

/* Whether a `;` that follows the statement is a part of the statement. */
static bool wants_semicolon(CXCursor statement)
{
    enum CXCursorKind kind = clang_getCursorKind(statement);
    if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt || kind == CXCursor_NullStmt ||
        kind == CXCursor_SwitchStmt)
        return false;
    bool has_body = (is_loop(kind) && kind != CXCursor_DoStmt) || kind == CXCursor_IfStmt ||
                    kind == CXCursor_LabelStmt || kind == CXCursor_UnexposedStmt;
    CXCursor body = has_body ? last_child(statement) : clang_getNullCursor();
    return clang_Cursor_isNull(body) || wants_semicolon(body);
}

static const char *why_not(const Frame *frame, const HieraTranslationUnit *unit, HieraPragma *pragma)
{
    enum CXCursorKind kind = clang_getCursorKind(frame->cursor);
    enum CXCursorKind above = frame->up ? clang_getCursorKind(frame->up->cursor) : CXCursor_InvalidFile;
    if (clang_isDeclaration(kind))
        return "an assertion stands before a block or a loop, not before a declaration; for all of a function, write "
               "it "
               "before the '{' of the function";
    if (!is_loop(kind) && kind != CXCursor_CompoundStmt && kind != CXCursor_CXXTryStmt)
        return "an assertion stands before a block or a loop; this is neither";
    if (above == CXCursor_StmtExpr)
        return "this block is a value, and cannot be a region; write the assertion inside it";
    if (kind == CXCursor_CXXTryStmt && is_function(above))
        return "the try block of a function cannot be a region; write the assertion before a block inside it";
    if (!hiera_unit_span(unit, frame->cursor, &pragma->statement))
        return "the region ends in another file";
    return NULL;
}

/* Move the end of the pragma's statement behind its `;`, if it has one. */
static void find_end(const HieraTranslationUnit *unit, CXCursor statement, HieraPragma *pragma)
{
    size_t token = hiera_unit_token(unit, pragma->statement.end);
    if (wants_semicolon(statement) && hiera_unit_token_is(unit, token, ";"))
        pragma->statement.end = unit->tokens[token].end;
}

/* Return the function that contains a statement, and its body in *body; a null cursor if there is none. */
static CXCursor function_of(const Frame *frame, CXCursor *body)
{
    for (*body = frame->cursor; frame; frame = frame->up) {
        if (is_function(clang_getCursorKind(frame->cursor)))
            return frame->cursor;
        *body = frame->cursor;
    }
    return clang_getNullCursor();
}

static void take(Walk *walk, const Frame *frame, HieraPragma *pragma, HieraSourceSpan target)
{
    const char *reason = why_not(frame, walk->unit, pragma);
    CXCursor body, function = function_of(frame, &body);
    pragma->is_found = true;
    if (!reason && (clang_Cursor_isNull(function) || !hiera_unit_span(walk->unit, function, &pragma->function)))
        reason = "a region has to be inside a function";
    if (reason) {
        hiera_pragmas_refuse(walk->pragmas, pragma, target, "%s", reason);
        return;
    }
    find_end(walk->unit, frame->cursor, pragma);
    hiera_jumps_check(walk->pragmas, walk->unit, pragma, function, body);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    Walk *walk = data;
    (void)parent;
    size_t begin;
    bool is_here = hiera_unit_place(walk->unit, clang_getRangeStart(clang_getCursorExtent(cursor)), &begin);
    if (!walk->frame && !is_here)
        return CXChildVisit_Continue;
    Frame frame = {walk->frame, cursor};
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool is_hidden = kind == CXCursor_UnexposedStmt || clang_isPreprocessing(kind);
    for (size_t i = 0; i < walk->pragmas->n && is_here && !is_hidden; i++) {
        HieraPragma *pragma = &walk->pragmas->at[i];
        if (pragma->is_dropped || pragma->is_found || walk->next[i] == walk->unit->n_tokens)
            continue;
        HieraSourceSpan target = walk->unit->tokens[walk->next[i]];
        if (begin == target.begin)
            take(walk, &frame, pragma, target);
    }
    walk->frame = &frame;
    clang_visitChildren(cursor, visit, walk);
    walk->frame = frame.up;
    return CXChildVisit_Continue;
}

/* Whether a directive is a pragma that must stand directly before its loop, such as `omp` or `unroll`. */
static bool is_of_loop(const HieraSource *source, HieraSourceSpan directive)
{
    static const char *const words[] = {"omp",    "acc",      "unroll",    "nounroll",   "ivdep",     "simd",
                                        "vector", "novector", "GCC ivdep", "GCC unroll", "clang loop"};
    const char *at = source->text + directive.begin + 1;
    at += strspn(at, " \t");
    if (strncmp(at, "pragma", 6) != 0)
        return false;
    at += 6 + strspn(at + 6, " \t");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (strncmp(at, words[i], length) == 0 && strchr(" \t\r\n(", at[length]))
            return true;
    }
    return false;
}

/* Refuse an assertion that stands between another pragma and the loop of that pragma. */
static void look_above(HieraPragmas *pragmas, const HieraTranslationUnit *unit, HieraPragma *pragma, size_t next)
{
    size_t token = hiera_unit_token(unit, pragma->span.begin);
    size_t above = token > 0 ? unit->tokens[token - 1].end : 0;
    bool is_block = hiera_unit_token_is(unit, next, "{");
    for (size_t i = 0; i < unit->n_directives && !is_block; i++) {
        HieraSourceSpan directive = unit->directives[i];
        if (directive.begin >= above && directive.begin < pragma->span.begin &&
            is_of_loop(pragmas->source, directive)) {
            hiera_pragmas_refuse(pragmas, pragma, pragma->word,
                                 "it has to stand above the other pragma of its loop, not below");
            return;
        }
    }
}

void hiera_statements_find(HieraPragmas *pragmas, const HieraTranslationUnit *unit)
{
    size_t *next = NULL, n = 0;
    for (size_t i = 0; i < pragmas->n; i++) {
        *HIERA_GROW(next, n) = hiera_unit_token(unit, pragmas->at[i].span.begin);
        if (!pragmas->at[i].is_dropped)
            look_above(pragmas, unit, &pragmas->at[i], next[i]);
    }
    Walk walk = {pragmas, unit, NULL, next};
    clang_visitChildren(clang_getTranslationUnitCursor(unit->clang), visit, &walk);
    for (size_t i = 0; i < pragmas->n; i++) {
        HieraPragma *pragma = &pragmas->at[i];
        if (!pragma->is_dropped && !pragma->is_found)
            hiera_pragmas_refuse(pragmas, pragma, pragma->word, "no block or loop follows");
    }
}
