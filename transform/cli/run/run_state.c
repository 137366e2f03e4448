#include "run_state.h"
#include "base/attribute_columns.h"
#include "base/findings.h"
#include "base/misuse.h"
#include "needs.h"
#include "parallel/parallel.h"
#include "shared_streams.h"
#include "sums_check.h"
#include <string.h>
#include <unistd.h>

/* extra work of process 0 for the page, in percent of the work for all ranks: so much less is given to it */
enum { PICTURES_PERCENT = 9 };

/* Return which optional columns (HIERA_KEEP_…) the trace needs: lines for --validate, posted bytes for rules. */
static guint columns_of(const Options *options)
{
    gboolean asserts = options->html != NULL;
    for (guint i = 0; i < options->measures->len; i++)
        asserts =
            asserts || hiera_measure_is(((const HieraMeasure *)options->measures->pdata[i]), HIERA_MEASURE_ASSERTS);
    return (options->validate ? HIERA_KEEP_LINES | HIERA_KEEP_WILDCARDS : 0) | (asserts ? HIERA_KEEP_POSTED : 0);
}

void run_init(Run *run, const Options *options, gboolean in_memory, gboolean shares)
{
    if (options->validate) {
        hiera_attribute_columns_wish(HIERA_ATTRIBUTE_OF_DATA);
        hiera_attribute_columns_wish(HIERA_ATTRIBUTE_OF_BUFFERS);
        hiera_attribute_columns_wish(HIERA_ATTRIBUTE_OF_FENCES);
        hiera_attribute_columns_wish(HIERA_ATTRIBUTE_OF_PARTITIONS);
    }
    *run = (Run){.options = options, .says_progress = !options->quiet && isatty(STDERR_FILENO)};
    run->catalog = hiera_catalog_new();
    run->findings = hiera_findings_new();
    if (options->suppressions)
        hiera_findings_keep_all(run->findings);
    run->tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    run->streams = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_stream_free);
    run->readable = g_ptr_array_new();
    run->paths = hiera_trace_paths_expand((const char *const *)options->arguments, run->findings);
    if (scope_check_is_narrow(&options->scope))
        run->scope = scope_check_new(&options->scope);
    run->narrowed = options->scope;
    run->narrowed.options.catalog = run->catalog;
    run->streams_where = !in_memory && needs_where_stream(options);
    if (needs_trace(options) || (options->where && !run->streams_where))
        run->builder = hiera_builder_new(run->catalog, columns_of(options));
    gboolean several = shares && run->builder && hiera_parallel_size() > 1;
    if (several && needs_page_in_parts(options))
        run->page = page_answers_new(&run->narrowed, run->catalog);
    run->shares = several && (run->page || needs_parts_alone(options));
    if (run->shares)
        hiera_builder_hold(run->builder);
}

void run_clear(Run *run)
{
    g_free(run->chosen);
    g_clear_pointer(&run->check_tables, g_ptr_array_unref);
    hiera_graph_free(run->graph);
    hiera_left_over_free(run->left);
    hiera_match_free(run->match);
    hiera_trace_free(run->trace);
    hiera_builder_free(run->builder);
    scope_check_free(run->scope);
    where_stream_free(run->where);
    g_ptr_array_unref(run->streams);
    g_ptr_array_unref(run->tables);
    g_ptr_array_unref(run->readable);
    g_clear_pointer(&run->processors, g_array_unref);
    g_clear_pointer(&run->paths, g_ptr_array_unref);
    page_answers_free(run->page);
    hiera_sharing_clear(&run->sharing);
    hiera_findings_free(run->findings);
    hiera_catalog_free(run->catalog);
}

/* Make a table for each measure, and the streams of measures that need no graph. Return the sinks of these streams:
 * none if they get their operations from the trace in memory. To be freed with g_array_unref. */
static GArray *make_measure_sinks(Run *run)
{
    GArray *sinks = g_array_new(FALSE, FALSE, sizeof(HieraSink));
    gboolean later = run->options->where && !run->streams_where;
    for (guint i = 0; i < run->options->measures->len; i++) {
        const HieraMeasure *measure = needs_peek_measure(run->options, i);
        HieraTable *table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
        hiera_table_explain_nothing(table, measure->nothing);
        g_ptr_array_add(run->tables, table);
        if (measure->graph || measure->find)
            continue;
        HieraStream *stream = hiera_stream_new(measure, &run->narrowed, run->catalog, table);
        g_ptr_array_add(run->streams, stream);
        HieraSink sink = hiera_stream_sink(stream);
        if (!later)
            g_array_append_val(sinks, sink);
    }
    return sinks;
}

/* Return all receivers of operations while reading: measures (behind --where), scope check, page, builder. */
static GArray *make_sinks(Run *run)
{
    GArray *sinks = make_measure_sinks(run);
    if (run->streams_where) {
        run->where =
            where_stream_new(run->options->where, run->catalog, (const HieraSink *)(void *)sinks->data, sinks->len);
        HieraSink sink = where_stream_sink(run->where);
        g_array_set_size(sinks, 0);
        g_array_append_val(sinks, sink);
    }
    if (run->scope) {
        HieraSink sink = scope_check_sink(run->scope);
        g_array_append_val(sinks, sink);
    }
    if (run->page)
        page_answers_add_sinks(run->page, sinks);
    if (run->builder) {
        HieraSink sink = hiera_builder_sink(run->builder);
        g_array_append_val(sinks, sink);
    }
    return sinks;
}

guint run_read(Run *run, GError **error)
{
    const Options *options = run->options;
    HieraLoadOptions how = {.validate = options->validate,
                            .keep_lines = options->validate,
                            .in_blocks = run->shares,
                            .besides = run->page ? PICTURES_PERCENT : 0};
    if (run->says_progress) {
        how.progress = progress_read;
        how.progress_user = &run->progress;
    }
    g_autoptr(GArray) sinks = make_sinks(run);
    GArray *processors = run->processors =
        hiera_load(run->paths, &how, (const HieraSink *)(void *)sinks->data, sinks->len, run->catalog, run->findings);
    progress_end(&run->progress);
    if (!options->where || run->where)
        g_ptr_array_foreach(run->streams, (GFunc)(void *)hiera_stream_finish, NULL);
    if (run->page)
        page_answers_finish(run->page);
    for (guint i = 0; i < processors->len; i++)
        g_ptr_array_add(run->readable, (gpointer)g_array_index(processors, HieraProcessor, i).path);
    if (run->scope && processors->len > 0 && !scope_check_result(run->scope, error))
        return processors->len;
    if (processors->len > 0 && !sums_check(options, processors, run->findings, error))
        return processors->len;
    if (run->builder && processors->len > 0 && !run->shares)
        run->trace = hiera_builder_take_trace(run->builder, processors, error);
    return processors->len;
}

gboolean run_reports_validation(const Run *run)
{
    const Options *options = run->options;
    return options->validate && options->measures->len == 0 && options->format != HIERA_FORMAT_JSON && !options->sarif;
}

gboolean run_gather_left_over(Run *run, GError **error)
{
    if (!run->sharing.apart || !run->sharing.hangs || run->gathered)
        return TRUE;
    run->gathered = TRUE;
    run->left = hiera_left_over_gather(run->match, &run->narrowed, error);
    run->narrowed.share.left = run->left ? hiera_left_over_peek(run->left) : NULL;
    run->narrowed.share.left_chosen = run->left ? hiera_left_over_peek_chosen(run->left) : NULL;
    return hiera_parallel_agree_on_error(error);
}

static gboolean any_chosen(const Run *run)
{
    return memchr(run->chosen, 1, run->trace->n_operations) != NULL;
}

gboolean run_choose(Run *run, GError **error)
{
    if (run->where)
        return where_stream_has_chosen(run->where) || where_found_nothing(run->findings, error);
    if (run->chosen)
        return TRUE;
    run->chosen = where_choose(run->options->where, run->trace, run->match, &run->narrowed);
    run->narrowed.chosen = run->chosen;
    for (guint i = 0; i < run->streams->len; i++)
        shared_stream_replay(run->streams->pdata[i], run->trace, &run->narrowed);
    return (run->sharing.apart ? hiera_parallel_any(any_chosen(run)) : any_chosen(run)) ||
           where_found_nothing(run->findings, error);
}
