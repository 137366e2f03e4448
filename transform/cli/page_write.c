/* The page shows the answers of all measures but those that compare runs or walk the graph. */
#include "page_write.h"
#include "base/output_file.h"
#include "measures.h"
#include "page.h"
#include "serve.h"
#include "trace/replay.h"

/* A measure in one of its forms. */
typedef struct {
    const HieraMeasure *measure;
    const char *by; /* NULL: the form that answers without --by */
} Shown;

static const Shown all[] = {
#define X(name) {&hiera_measure_##name, NULL},
    HIERA_MEASURES(X)
#undef X
    /* What the pictures need besides. */
    {&hiera_measure_histogram, "size"},
    {&hiera_measure_histogram, "rank"},
    {&hiera_measure_phases, "iteration"},
};

static const HieraMeasure *form_of(const Shown *shown)
{
    const HieraScope scope = {.by = shown->by};
    const HieraMeasure *measure = shown->measure;
    return measure->forms ? measure->forms[hiera_scope_find_by(&scope, measure->by)] : measure;
}

/* Whether the page shows its answer: not of those that compare runs or walk the graph. */
static gboolean is_shown(const HieraMeasure *measure, const HieraScope *scope)
{
    return (!measure->asserts || scope->rules) && measure->protocol != HIERA_PROTOCOL_RUNS && measure->protocol != HIERA_PROTOCOL_GRAPH;
}

/* Answer all measures that take operations one by one, in one pass. @param tables  by row of `all`, NULL where none is
 * shown; @param scopes  likewise */
static void answer_streams(const HieraTrace *trace, const HieraScope *scopes, HieraTable *const *tables)
{
    g_autoptr(GPtrArray) streams = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_stream_free);
    g_autoptr(GArray) sinks = g_array_new(FALSE, FALSE, sizeof(HieraSink));
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        const HieraMeasure *measure = form_of(&all[i]);
        if (!tables[i] || measure->protocol == HIERA_PROTOCOL_MATCH)
            continue;
        HieraStream *stream = hiera_stream_new(measure, &scopes[i], trace->catalog, tables[i]);
        HieraSink sink = hiera_stream_sink(stream);
        g_ptr_array_add(streams, stream);
        g_array_append_val(sinks, sink);
    }
    hiera_trace_replay(trace, scopes[0].chosen, (const HieraSink *)(void *)sinks->data, sinks->len);
    g_ptr_array_foreach(streams, (GFunc)(void *)hiera_stream_finish, NULL);
}

static gboolean answer_matched(const HieraMatch *match, const HieraScope *scopes, HieraTable *const *tables,
                               GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        const HieraMeasure *measure = form_of(&all[i]);
        if (tables[i] && measure->protocol == HIERA_PROTOCOL_MATCH &&
            !measure->find(match, &scopes[i], tables[i], error))
            return FALSE;
    }
    return TRUE;
}

/* Make a table for a form, named like what the user types: "histogram --by size". */
static HieraTable *make_table(const Shown *shown, GPtrArray *names)
{
    const HieraMeasure *measure = form_of(shown);
    const char *name = shown->measure->name;
    if (shown->by) {
        name = g_strdup_printf("%s --by %s", shown->measure->name, shown->by);
        g_ptr_array_add(names, (gpointer)name);
    }
    return hiera_table_new(name, measure->columns, measure->n_columns);
}

/* Answer all measures that the page shows. @param tables  gets the answers; @param help  gets what each answers;
 * @param names  keeps texts */
static gboolean answer_all(const HieraMatch *match, const HieraScope *scope, GPtrArray *tables, GPtrArray *help,
                           GPtrArray *names, GError **error)
{
    HieraTable *of[G_N_ELEMENTS(all)] = {NULL};
    HieraScope scopes[G_N_ELEMENTS(all)];
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        scopes[i] = *scope;
        scopes[i].by = all[i].by;
        if (!is_shown(form_of(&all[i]), scope))
            continue;
        of[i] = make_table(&all[i], names);
        g_ptr_array_add(tables, of[i]);
        g_ptr_array_add(help, (gpointer)all[i].measure->help);
    }
    answer_streams(hiera_match_peek_trace(match), scopes, of);
    if (!answer_matched(match, scopes, of, error))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        if (of[i] && !form_of(&all[i])->ordered)
            hiera_table_settle(of[i]);
    }
    return TRUE;
}

/* What a page is made of. */
typedef struct {
    GPtrArray *tables, *help, *names;
    char *command;
    HieraPage page;
} Parts;

static gboolean parts_init(Parts *parts, const HieraMatch *match, const HieraScope *scope,
                           const HieraFindings *findings, const Options *options, GError **error)
{
    parts->tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    parts->help = g_ptr_array_new();
    parts->names = g_ptr_array_new_with_free_func(g_free);
    parts->command = g_strjoinv(" ", options->arguments);
    if (!answer_all(match, scope, parts->tables, parts->help, parts->names, error))
        return FALSE;
    parts->page = (HieraPage){.match = match,
                              .scope = scope,
                              .part = options->part,
                              .tables = (HieraTable *const *)parts->tables->pdata,
                              .help = (const char *const *)parts->help->pdata,
                              .n_tables = parts->tables->len,
                              .findings = findings,
                              .command = parts->command};
    return TRUE;
}

static void parts_clear(Parts *parts)
{
    g_ptr_array_unref(parts->tables);
    g_ptr_array_unref(parts->help);
    g_ptr_array_unref(parts->names);
    g_free(parts->command);
}

static gboolean write_file(const HieraPage *page, const char *path, GError **error)
{
    HieraOutputFile output;
    if (!hiera_output_file_open(&output, path, error))
        return FALSE;
    hiera_page_compose(page, output.stream);
    return hiera_output_file_close(&output, TRUE, error);
}

gboolean page_write(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                    const Options *options, GError **error)
{
    Parts parts;
    gboolean good = parts_init(&parts, match, scope, findings, options, error) &&
                    write_file(&parts.page, options->html, error);
    parts_clear(&parts);
    return good;
}

/* Choose by --where's expressions. @param user  the match */
static guint8 *choose(const char *expression, gpointer user, GError **error)
{
    const HieraMatch *match = user;
    Where *where = where_compile(expression, error);
    guint8 *chosen = where ? where_choose(where, hiera_match_peek_trace(match), match) : NULL;
    where_free(where);
    return chosen;
}

gboolean page_serve(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                    const Options *options, GError **error)
{
    Parts parts;
    g_autoptr(HieraLivePage) live = NULL;
    if (parts_init(&parts, match, scope, findings, options, error))
        live = hiera_live_page_new(&parts.page);
    parts_clear(&parts);
    const HieraServe what = {live, choose, (gpointer)match, options->quiet};
    return live && hiera_serve(&what, options->serve, error);
}
