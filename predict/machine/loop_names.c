#include "loop_names.h"
#include <string.h>

static gboolean complain(const char *rule, GError **error)
{
    g_set_error(
        error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
        "--speed '%s': write loop(\"force.c:70-82\"), loop(\"force.c:70\") or loop(\"function\"), and behind it "
        "nothing, or 'and' and an expression that says where it runs",
        rule);
    return FALSE;
}

static gboolean read_lines(const char *text, LoopName *name)
{
    char *end;
    guint64 line = g_ascii_strtoull(text, &end, 10), last = 0;
    if (end == text || !g_ascii_isdigit(*text) || line > G_MAXUINT32)
        return FALSE;
    if (*end == '-') {
        const char *second = end + 1;
        last = g_ascii_strtoull(second, &end, 10);
        if (end == second || !g_ascii_isdigit(*second) || last < line || last > G_MAXUINT32)
            return FALSE;
    }
    name->line = (guint32)line;
    name->last_line = (guint32)last;
    return *end == '\0' && line > 0;
}

/* @param text  what is between the quotes of loop("…"): FILE:LINE, FILE:FIRST-LAST or a function */
static LoopName *read_name(const char *text)
{
    const char *colon = strrchr(text, ':');
    LoopName *name = g_new0(LoopName, 1);
    if (colon && colon > text && colon[-1] != ':' && read_lines(colon + 1, name))
        name->file = g_strndup(text, (gsize)(colon - text));
    else
        name->function = g_strdup(text);
    return name;
}

/* Return what follows loop("…"): "", or the expression behind `and`. @return NULL: neither */
static const char *find_rest(const char *at)
{
    at += strspn(at, " \t\n");
    if (*at == '\0')
        return at;
    gsize length = g_str_has_prefix(at, "&&")                               ? 2
                   : g_str_has_prefix(at, "and") && !g_ascii_isalnum(at[3]) ? 3
                                                                            : *at == '&';
    return length > 0 ? at + length : NULL;
}

gboolean loop_name_read(const char *rule, LoopName **name, const char **rest, GError **error)
{
    const char *at = rule + strspn(rule, " \t\n");
    *name = NULL;
    *rest = rule;
    if (!g_str_has_prefix(at, "loop") || at[4 + strspn(at + 4, " ")] != '(')
        return TRUE;
    const char *quote = strchr(at, '(') + 1;
    quote += strspn(quote, " ");
    const char *end = *quote == '"' || *quote == '\'' ? strchr(quote + 1, *quote) : NULL;
    const char *bracket = end ? end + 1 + strspn(end + 1, " ") : NULL;
    if (!end || end == quote + 1 || *bracket != ')' || !(*rest = find_rest(bracket + 1)))
        return complain(rule, error);
    g_autofree char *text = g_strndup(quote + 1, (gsize)(end - quote - 1));
    *name = read_name(text);
    return TRUE;
}

void loop_name_free(LoopName *name)
{
    if (!name)
        return;
    g_free(name->file);
    g_free(name->function);
    g_free(name);
}

/* Whether a path ends with `end`, a file name with or without folders, at a border of folders. */
static gboolean is_file(const char *path, const char *end)
{
    gsize length = strlen(path), n = strlen(end);
    return n <= length && strcmp(path + length - n, end) == 0 && (n == length || path[length - n - 1] == '/');
}

static gboolean is_named(const LoopName *name, const HieraTimed *timed)
{
    if (name->function)
        return timed->kind == HIERA_TIMED_FUNCTION && strcmp(timed->operation, name->function) == 0;
    return timed->kind == HIERA_TIMED_LOOP && timed->line == name->line &&
           (name->last_line == 0 || timed->last_line == name->last_line) && is_file(timed->file, name->file);
}

GPtrArray *loop_name_find(const LoopName *name, const HieraTrace *trace, guint32 processor)
{
    GPtrArray *found = g_ptr_array_new();
    guint32 inside = G_MAXUINT32; /* depth of the last loop found: deeper loops that follow are inside that loop;
                                     G_MAXUINT32: inside none */
    for (guint i = 0; i < trace->timed->len; i++) {
        HieraTimed *timed = &g_array_index(trace->timed, HieraTimed, i);
        if (timed->processor != processor || timed->kind == HIERA_TIMED_ALL || timed->kind == HIERA_TIMED_NOT ||
            timed->depth > inside)
            continue;
        inside = is_named(name, timed) ? timed->depth : G_MAXUINT32;
        if (inside == timed->depth)
            g_ptr_array_add(found, timed);
    }
    return found;
}

LoopTime loops_sum(const GPtrArray *loops)
{
    LoopTime time = {0};
    for (guint i = 0; i < loops->len; i++) {
        const HieraTimed *timed = g_ptr_array_index(loops, i);
        time.ns += timed->time_ns / MAX(timed->threads, 1);
        time.of_threads |= timed->threads > 1;
    }
    return time;
}

gboolean loops_have_site(const GPtrArray *loops, const HieraSite *site)
{
    for (guint i = 0; i < loops->len; i++) {
        const HieraTimed *timed = g_ptr_array_index(loops, i);
        if (site->line > 0 && timed->line <= site->line && site->line <= timed->last_line &&
            (is_file(timed->file, site->file) || is_file(site->file, timed->file)))
            return TRUE;
    }
    return FALSE;
}
