/* See edits.h. A pragma is replaced by a brace and a declaration on its own line; the brace is closed behind the
 * pragma's statement. */
#include "edits.h"

#include "run/words.h"

#include <stdlib.h>
#include <string.h>

typedef struct Edit {
    HieraSourceSpan span; /* bytes of the source that are replaced by `text` */
    const char *text;
    size_t order;
    size_t *begin; /* set to the offset in the result of `text` behind its `{ `; NULL: not wanted */
} Edit;

static int compare(const void *a, const void *b)
{
    const Edit *x = a, *y = b;
    if (x->span.begin != y->span.begin)
        return x->span.begin < y->span.begin ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Return a text of as many newlines as the span contains. */
static char *newlines(const HieraSource *source, HieraSourceSpan span)
{
    char *text = hiera_words_format("%*s", (int)(span.end - span.begin), "");
    size_t n = 0;
    for (size_t at = span.begin; at < span.end; at++)
        n += source->text[at] == '\n';
    memset(text, '\n', n);
    text[n] = '\0';
    return text;
}

static HieraEdits apply(const HieraSource *source, Edit *edits, size_t n)
{
    HieraEdits made = {0};
    size_t room = source->length + 1, at = 0;
    for (size_t i = 0; i < n; i++)
        room += strlen(edits[i].text);
    char *end = made.text = malloc(room);
    if (!end)
        hiera_run_fail("no memory");
    for (size_t i = 0; i < n; i++) {
        end = mempcpy(end, source->text + at, edits[i].span.begin - at);
        if (edits[i].begin)
            *edits[i].begin = (size_t)(end - made.text) + (edits[i].text[0] == '{' ? 2 : 0);
        end = stpcpy(end, edits[i].text);
        at = edits[i].span.end;
    }
    end = mempcpy(end, source->text + at, source->length - at);
    *end = '\0';
    made.length = (size_t)(end - made.text);
    return made;
}

/* Whether an earlier assertion is about the same statement, so that both share the braces of the earlier one. */
static bool continues(const HieraPragmas *pragmas, size_t i)
{
    for (size_t before = 0; before < i; before++) {
        if (!pragmas->at[before].is_dropped && pragmas->at[before].statement.begin == pragmas->at[i].statement.begin)
            return true;
    }
    return false;
}

HieraEdits hiera_edits_make(const HieraPragmas *pragmas, char *(*inside)(const HieraPragmas *, size_t))
{
    Edit *edits = NULL;
    size_t n = 0, *begins = calloc(pragmas->n + 1, sizeof *begins);
    if (!begins)
        hiera_run_fail("no memory");
    for (size_t i = 0; i < pragmas->n; i++) {
        const HieraPragma *pragma = &pragmas->at[i];
        if (pragma->is_dropped)
            continue;
        bool is_first = !continues(pragmas, i);
        char *text = hiera_words_format("%s%s%s", is_first ? "{ " : "", inside(pragmas, i),
                                        newlines(pragmas->source, pragma->span));
        *HIERA_GROW(edits, n) = (Edit){pragma->span, text, n, &begins[i]};
        HieraSourceSpan end = {pragma->statement.end, pragma->statement.end};
        if (is_first)
            *HIERA_GROW(edits, n) = (Edit){end, " }", n, NULL};
    }
    if (n > 0)
        qsort(edits, n, sizeof *edits, compare);
    HieraEdits made = apply(pragmas->source, edits, n);
    made.begins = begins;
    return made;
}

char *hiera_edits_quote(const char *text)
{
    char *quoted = hiera_words_format("%*s", (int)(4 * strlen(text) + 3), ""), *end = quoted;
    *end++ = '"';
    for (; *text; text++) {
        /* `?` is escaped, since it could begin a trigraph. */
        if (*text == '"' || *text == '\\' || *text == '?')
            *end++ = '\\';
        *end++ = *text;
    }
    *end++ = '"';
    *end = '\0';
    return quoted;
}

char *hiera_edits_declare(const HieraPragmas *pragmas, size_t i)
{
    const HieraPragma *pragma = &pragmas->at[i];
    char *copies = hiera_words_format("%s", ""), *arguments = copies;
    for (size_t v = 0; v < pragma->n_variables; v++) {
        const HieraVariable *variable = &pragma->variables[v];
        if (!variable->is_copied) {
            arguments = hiera_words_format("%s, %s", arguments, variable->name);
            continue;
        }
        /* In parentheses the argument is not a plain name, so it becomes the value of the next variable without a name.
         */
        copies = hiera_words_format("%sconst __typeof__(%s) hiera_value_%zu_%zu = (%s); ", copies, variable->name, i, v,
                                    variable->name);
        arguments = hiera_words_format("%s, (hiera_value_%zu_%zu)", arguments, i, v);
    }
    return hiera_words_format("%sHIERA_ASSERT(%s%s);", copies, hiera_edits_quote(pragma->text), arguments);
}
