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

static void stream(const HieraMeasure *measure, const HieraTrace *trace, HieraTable *table)
{
    HieraStream *stream = hiera_stream_new(measure, &HIERA_SCOPE_ALL, trace->catalog, table);
    HieraSink sink = hiera_stream_sink(stream);
    hiera_trace_replay(trace, NULL, &sink, 1);
    hiera_stream_finish(stream);
    hiera_stream_free(stream);
}

/* Return the answer, or NULL with an error. */
static HieraTable *answer(const HieraMeasure *measure, const HieraMatch *match, GError **error)
{
    HieraTable *table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
    if (measure->protocol != HIERA_PROTOCOL_MATCH) {
        stream(measure, hiera_match_peek_trace(match), table);
    } else if (!measure->find(match, &HIERA_SCOPE_ALL, table, error)) {
        hiera_table_free(table);
        return NULL;
    }
    if (!measure->ordered)
        hiera_table_settle(table);
    return table;
}

static gboolean answer_all(const HieraMatch *match, GPtrArray *tables, GPtrArray *help, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        const HieraMeasure *measure = first_form(all[i]);
        if (measure->protocol == HIERA_PROTOCOL_RUNS || measure->protocol == HIERA_PROTOCOL_GRAPH)
            continue;
        HieraTable *table = answer(measure, match, error);
        if (!table)
            return FALSE;
        g_ptr_array_add(tables, table);
        g_ptr_array_add(help, (gpointer)all[i]->help);
    }
    return TRUE;
}

gboolean page_write(const HieraMatch *match, const HieraFindings *findings, char **arguments, const char *path,
                    GError **error)
{
    g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    g_autoptr(GPtrArray) help = g_ptr_array_new();
    HieraOutputFile output;
    if (!answer_all(match, tables, help, error) || !hiera_output_file_open(&output, path, error))
        return FALSE;
    g_autofree char *command = g_strjoinv(" ", arguments);
    const HieraPage page = {match, (HieraTable *const *)tables->pdata, (const char *const *)help->pdata, tables->len,
                            findings, command};
    hiera_page_compose(&page, output.stream);
    return hiera_output_file_close(&output, TRUE, error);
}
