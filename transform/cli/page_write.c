/* The page shows the answers of all measures but those that compare runs or walk the graph. */
#include "page_write.h"
#include "base/output_file.h"
#include "measures.h"
#include "page.h"
#include "trace/replay.h"

static const HieraMeasure *const all[] = {
#define X(name) &hiera_measure_##name,
    HIERA_MEASURES(X)
#undef X
};

/* The measure that answers if no --by is given. */
static const HieraMeasure *first_form(const HieraMeasure *measure)
{
    return measure->forms ? measure->forms[0] : measure;
}

/* Whether the page shows its answer: not of those that compare runs or walk the graph. */
static gboolean is_shown(const HieraMeasure *measure)
{
    return measure->protocol != HIERA_PROTOCOL_RUNS && measure->protocol != HIERA_PROTOCOL_GRAPH;
}

/* Answer all measures that take operations one by one, in one pass. @param tables  by measure, NULL where none is shown */
static void answer_streams(const HieraTrace *trace, const HieraScope *scope, HieraTable *const *tables)
{
    g_autoptr(GPtrArray) streams = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_stream_free);
    g_autoptr(GArray) sinks = g_array_new(FALSE, FALSE, sizeof(HieraSink));
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        const HieraMeasure *measure = first_form(all[i]);
        if (!tables[i] || measure->protocol == HIERA_PROTOCOL_MATCH)
            continue;
        HieraStream *stream = hiera_stream_new(measure, scope, trace->catalog, tables[i]);
        HieraSink sink = hiera_stream_sink(stream);
        g_ptr_array_add(streams, stream);
        g_array_append_val(sinks, sink);
    }
    hiera_trace_replay(trace, scope->chosen, (const HieraSink *)(void *)sinks->data, sinks->len);
    g_ptr_array_foreach(streams, (GFunc)(void *)hiera_stream_finish, NULL);
}

static gboolean answer_matched(const HieraMatch *match, const HieraScope *scope, HieraTable *const *tables, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        const HieraMeasure *measure = first_form(all[i]);
        if (tables[i] && measure->protocol == HIERA_PROTOCOL_MATCH &&
            !measure->find(match, scope, tables[i], error))
            return FALSE;
    }
    return TRUE;
}

/* Answer all measures that the page shows. @param tables  gets the answers; @param help  gets what each answers */
static gboolean answer_all(const HieraMatch *match, const HieraScope *scope, GPtrArray *tables, GPtrArray *help, GError **error)
{
    HieraTable *of[G_N_ELEMENTS(all)] = {NULL};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        const HieraMeasure *measure = first_form(all[i]);
        if (!is_shown(measure))
            continue;
        of[i] = hiera_table_new(measure->name, measure->columns, measure->n_columns);
        g_ptr_array_add(tables, of[i]);
        g_ptr_array_add(help, (gpointer)all[i]->help);
    }
    answer_streams(hiera_match_peek_trace(match), scope, of);
    if (!answer_matched(match, scope, of, error))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        if (of[i] && !first_form(all[i])->ordered)
            hiera_table_settle(of[i]);
    }
    return TRUE;
}

gboolean page_write(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                    const Options *options, GError **error)
{
    g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    g_autoptr(GPtrArray) help = g_ptr_array_new();
    HieraOutputFile output;
    if (!answer_all(match, scope, tables, help, error) || !hiera_output_file_open(&output, options->html, error))
        return FALSE;
    g_autofree char *command = g_strjoinv(" ", options->arguments);
    const HieraPage page = {match, scope, options->part, (HieraTable *const *)tables->pdata, (const char *const *)help->pdata, tables->len,
                            findings, command};
    hiera_page_compose(&page, output.stream);
    return hiera_output_file_close(&output, TRUE, error);
}
