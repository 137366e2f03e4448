/* See hiera_arrow.h. A run is kept by who loaded it and by each array that borrows its columns. */
#include "base/findings.h"
#include "graph/graph_private.h"
#include "tables.h"
#include <string.h>

struct HieraArrow {
    gatomicrefcount kept;
    HieraCatalog *catalog;
    HieraTrace *trace;
    GMutex lock; /* of the rest, which is made when it is needed */
    HieraMatch *match;
    HieraGraph *graph;
};

HieraArrow *hiera_arrow_keep(HieraArrow *run)
{
    g_atomic_ref_count_inc(&run->kept);
    return run;
}

void hiera_arrow_free(HieraArrow *run)
{
    if (!run || !g_atomic_ref_count_dec(&run->kept))
        return;
    hiera_graph_free(run->graph);
    hiera_match_free(run->match);
    hiera_trace_free(run->trace);
    hiera_catalog_free(run->catalog);
    g_mutex_clear(&run->lock);
    g_free(run);
}

/* Say that calls which the traces have only as sums are in no table. */
static void note_sums(const HieraTrace *trace, HieraFindings *findings)
{
    for (guint32 i = 0; i < trace->n_processors; i++)
        if (trace->processors[i].n_summed > 0)
            hiera_findings_add(
                findings, HIERA_FINDING_SUMS, trace->processors[i].path, 0, "tables",
                "calls that the traces have only as sums are no rows of the tables; measures count them");
}

HieraArrow *hiera_arrow_load(const char *const *paths, HieraFindings *findings, GError **error)
{
    g_autoptr(HieraCatalog) catalog = hiera_catalog_new();
    g_autoptr(HieraTrace) trace = hiera_graph_read_trace(paths, NULL, catalog, findings, error);
    if (!trace)
        return NULL;
    note_sums(trace, findings);
    HieraArrow *run = g_new0(HieraArrow, 1);
    g_atomic_ref_count_init(&run->kept);
    g_mutex_init(&run->lock);
    run->catalog = g_steal_pointer(&catalog);
    run->trace = g_steal_pointer(&trace);
    return run;
}

/* Find what a table needs. */
static gboolean prepare(HieraArrow *run, HieraArrowNeed need, HieraArrowRows *rows, GError **error)
{
    g_mutex_lock(&run->lock);
    if (need >= HIERA_ARROW_OF_MATCH && !run->match)
        run->match = hiera_match_build(run->trace);
    if (need >= HIERA_ARROW_OF_GRAPH && !run->graph)
        run->graph = hiera_graph_build(run->trace, run->match, error);
    *rows = (HieraArrowRows){.trace = run->trace, .match = run->match, .graph = run->graph};
    g_mutex_unlock(&run->lock);
    return need < HIERA_ARROW_OF_GRAPH || rows->graph;
}

static const HieraArrowTable *find_table(const char *name, GError **error)
{
#define X(table)                                                                                                       \
    if (strcmp(name, #table) == 0)                                                                                     \
        return &hiera_arrow_##table;
    HIERA_ARROW_TABLES(X)
#undef X
#define X(table) " " #table
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "no table \"%s\"; there are" HIERA_ARROW_TABLES(X),
                name);
#undef X
    return NULL;
}

static const HieraArrowColumn *find_column(const HieraArrowTable *table, const char *name, GError **error)
{
    g_autoptr(GString) all = g_string_new("");
    for (gsize i = 0; i < table->n_columns; i++) {
        if (strcmp(table->columns[i].name, name) == 0)
            return &table->columns[i];
        g_string_append_printf(all, " %s", table->columns[i].name);
    }
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "no column \"%s\"; there are%s", name, all->str);
    return NULL;
}

/* Return the columns with these names, to be freed with g_ptr_array_unref; NULL with an error: one is missing. */
static GPtrArray *find_columns(const HieraArrowTable *table, const char *const *names, GError **error)
{
    g_autoptr(GPtrArray) found = g_ptr_array_new();
    for (gsize i = 0; !names && i < table->n_columns; i++)
        g_ptr_array_add(found, (gpointer)&table->columns[i]);
    for (; names && *names; names++) {
        const HieraArrowColumn *column = find_column(table, *names, error);
        if (!column)
            return NULL;
        g_ptr_array_add(found, (gpointer)column);
    }
    return g_steal_pointer(&found);
}

gboolean hiera_arrow_export(HieraArrow *run, const char *table, const char *const *columns, struct ArrowSchema *schema,
                            struct ArrowArray *array, GError **error)
{
    HieraArrowRows rows;
    const HieraArrowTable *of = find_table(table, error);
    g_autoptr(GPtrArray) found = of ? find_columns(of, columns, error) : NULL;
    if (!found || (array && !prepare(run, of->need, &rows, error)))
        return FALSE;
    hiera_arrow_make_struct_type(found->len, schema);
    for (guint i = 0; i < found->len; i++)
        hiera_arrow_make_type(found->pdata[i], schema->children[i]);
    if (!array)
        return TRUE;
    gsize n = of->count(&rows);
    hiera_arrow_make_struct(found->len, n, array);
    for (guint i = 0; i < found->len; i++)
        hiera_arrow_make_column(found->pdata[i], &rows, n, run, array->children[i]);
    return TRUE;
}

/* --- values that are not of a run --- */

static gint64 find_bits(HieraArrowRows *rows, gsize row)
{
    gint64 bits;
    memcpy(&bits, (const gint64 *)rows->values->values + row, sizeof bits);
    return bits;
}

static gint64 find_key(HieraArrowRows *rows, gsize row)
{
    (void)rows;
    return (gint64)row;
}

static char *copy_text(const HieraArrowRows *rows, gsize key)
{
    return g_strdup(((const char *const *)rows->values->values)[key]);
}

void hiera_arrow_export_values(const HieraArrowValues *columns, guint n_columns, gsize n_rows,
                               struct ArrowSchema *schema, struct ArrowArray *array)
{
    hiera_arrow_make_struct_type(n_columns, schema);
    hiera_arrow_make_struct(n_columns, n_rows, array);
    for (guint i = 0; i < n_columns; i++) {
        gboolean texts = *columns[i].format == 'u';
        HieraArrowColumn column = {columns[i].name, columns[i].format, -1, .number = texts ? find_key : find_bits,
                                   .text = copy_text};
        HieraArrowRows rows = {.values = &columns[i]};
        hiera_arrow_make_type(&column, schema->children[i]);
        hiera_arrow_make_column(&column, &rows, n_rows, NULL, array->children[i]);
    }
}
