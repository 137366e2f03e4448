/* One run; see run.h. */
#include "run.h"
#include "advice.h"
#include "assert_file.h"
#include "base/findings.h"
#include "base/misuse.h"
#include "base/output_file.h"
#include "checks/checks.h"
#include "convert/conversions.h"
#include "heap.h"
#include "hiera_graph.h"
#include "identity_check.h"
#include "matching/left_over.h"
#include "matching/match.h"
#include "needs.h"
#include "page_write.h"
#include "parallel/parallel.h"
#include "probe_option.h"
#include "progress.h"
#include "report.h"
#include "scope_check.h"
#include "shared_measures.h"
#include "sharing/share.h"
#include "sums_check.h"
#include "trace/replay.h"
#include "where_stream.h"
#include <string.h>
#include <unistd.h>

/* What the pictures of the page, and all operations in process 0, take: of what its measures take. */
enum { PICTURES_PERCENT = 45 };

typedef struct {
    const Options *options;
    HieraCatalog *catalog;
    HieraFindings *findings;
    GPtrArray *paths;
    GPtrArray *tables;     /* HieraTable, one per measure */
    GPtrArray *streams;    /* HieraStream, one per measure of NEED_STREAM */
    GPtrArray *readable;   /* paths of the traces that could be read, by rank */
    GArray *processors;    /* HieraProcessor, of these traces */
    ScopeCheck *scope;     /* NULL if the scope selects everything */
    WhereStream *where;    /* NULL if there is no --where, or it is decided with the trace in memory */
    HieraBuilder *builder; /* NULL if no operations are kept */
    HieraTrace *trace;
    HieraScope narrowed; /* the scope of the options, with the operations for which --where holds */
    guint8 *chosen;      /* of `narrowed`; NULL without --where */
    HieraMatch *match;   /* NULL if it is not needed, or only by the graph */
    HieraGraph *graph;   /* NULL if it is not needed */
    gboolean failed;     /* a rule of --assert does not hold, or a clause of --probe could not go on */
    Progress progress;
    gboolean says_progress;
    gboolean streams_where; /* --where is decided while the traces are read */
    GPtrArray *checked; /* HieraTable: those of --validate, if nothing else was found and processes have shared that */
    gboolean shares;        /* this is one of several processes that need not bring all operations together, */
    HieraSharing sharing;   /* and what it has */
    PageAnswers *page;      /* what several processes find together for the page; NULL: nothing */
    HieraLeftOver *left;    /* of process 0, if a rank has not ended: what ranks may wait for; NULL: nobody asks */
} Run;

/* What the trace in memory has besides: rules ask for what receives are posted for. */
static guint columns_of(const Options *options)
{
    gboolean asserts = options->html != NULL;
    for (guint i = 0; i < options->measures->len; i++)
        asserts = asserts || ((const HieraMeasure *)options->measures->pdata[i])->asserts;
    return (options->validate ? HIERA_KEEP_LINES : 0) | (asserts ? HIERA_KEEP_POSTED : 0);
}

/* @param in_memory  decide --where with the trace in memory, even if the expression does not need it
 * @param shares     whether several processes may share the operations out */
static void run_init(Run *run, const Options *options, gboolean in_memory, gboolean shares)
{
    *run = (Run){.options = options, .says_progress = !options->quiet && isatty(STDERR_FILENO)};
    run->catalog = hiera_catalog_new();
    run->findings = hiera_findings_new();
    run->tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    run->streams = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_stream_free);
    run->readable = g_ptr_array_new();
    run->paths = hiera_trace_paths_expand((const char *const *)options->arguments, run->findings);
    if (scope_check_is_narrow(&options->scope))
        run->scope = scope_check_new(&options->scope);
    run->narrowed = options->scope;
    run->narrowed.catalog = run->catalog;
    run->streams_where = !in_memory && needs_where_stream(options);
    if (needs_trace(options) || (options->where && !run->streams_where))
        run->builder = hiera_builder_new(run->catalog, columns_of(options));
    gboolean several = shares && run->builder && hiera_parallel_size() > 1;
    if (several && needs_page_in_parts(options))
        run->page = page_answers_new(&options->scope, run->catalog);
    run->shares = several && (run->page || needs_parts_alone(options));
    if (run->shares)
        hiera_builder_hold(run->builder);
}

static void run_clear(Run *run)
{
    g_free(run->chosen);
    g_clear_pointer(&run->checked, g_ptr_array_unref);
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

/* Make a table for each measure, and the streams of those that need no graph. Return the sinks of these: none if they
 * get their operations from the trace in memory. To be freed with g_array_unref. */
static GArray *make_measure_sinks(Run *run)
{
    GArray *sinks = g_array_new(FALSE, FALSE, sizeof(HieraSink));
    gboolean later = run->options->where && !run->streams_where;
    for (guint i = 0; i < run->options->measures->len; i++) {
        const HieraMeasure *measure = needs_peek_measure(run->options, i);
        HieraTable *table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
        hiera_table_explain_nothing(table, measure->nothing);
        g_ptr_array_add(run->tables, table);
        if (measure->protocol == HIERA_PROTOCOL_GRAPH || measure->protocol == HIERA_PROTOCOL_MATCH)
            continue;
        HieraStream *stream = hiera_stream_new(measure, &run->narrowed, run->catalog, table);
        g_ptr_array_add(run->streams, stream);
        HieraSink sink = hiera_stream_sink(stream);
        if (!later)
            g_array_append_val(sinks, sink);
    }
    return sinks;
}

/* Return all sinks: of measures, with --where before them, of the check of the scope, and of the builder. */
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

/* Read the traces. @return the number of processors that were read */
static guint load(Run *run, GError **error)
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

static gboolean measure_one(const Run *run, const HieraMeasure *measure, HieraTable *table, GError **error)
{
    const HieraScope *scope = &run->narrowed;
    if (measure->protocol == HIERA_PROTOCOL_MATCH && run->sharing.apart && !measure->together)
        shared_measure_lead(measure, run->match, scope, table);
    else if (measure->protocol == HIERA_PROTOCOL_MATCH)
        return measure->find(run->match, scope, table, error);
    return measure->protocol != HIERA_PROTOCOL_GRAPH || measure->run(run->graph, scope, table, error);
}

static gboolean measure(Run *run, GError **error)
{
    for (guint i = 0; i < run->options->measures->len; i++) {
        const HieraMeasure *measure = needs_peek_measure(run->options, i);
        HieraTable *table = g_ptr_array_index(run->tables, i);
        if (!measure_one(run, measure, table, error))
            return FALSE;
        if (!measure->ordered)
            hiera_table_settle(table);
        hiera_table_check(table, run->findings);
        run->failed = run->failed || (measure->asserts && !assert_rows_hold(table));
    }
    return TRUE;
}

/* Write the results of the measures; if only --validate is given, its report. */
static gboolean write_answers(const Run *run, GError **error)
{
    const Options *options = run->options;
    gboolean nothing = run->tables->len == 0 && !options->validate;
    HieraOutputFile output;
    if (nothing || !hiera_output_file_open(&output, options->output, error))
        return nothing;
    if (run->tables->len == 0 && options->format != HIERA_FORMAT_JSON) {
        const HieraScope all = HIERA_SCOPE_ALL;
        g_autoptr(GPtrArray) tables =
            run->checked ? g_ptr_array_ref(run->checked) : hiera_check_make_tables(run->match, &all, run->findings);
        report_validation(run->findings, tables, output.stream);
    } else {
        hiera_tables_write((HieraTable *const *)run->tables->pdata, run->tables->len, options->format, run->findings,
                           output.stream);
    }
    return hiera_output_file_close(&output, TRUE, error);
}

static gboolean write_probed(Run *run, GError **error)
{
    gboolean whole = TRUE;
    if (run->options->probe && !probe_option_run(run->match, &run->narrowed, run->options, &whole, error))
        return FALSE;
    run->failed = run->failed || !whole;
    return TRUE;
}

static gboolean write_export(const Run *run, GError **error)
{
    const HieraExport *export = run->options->export;
    const HieraExportInput input = {run->match, run->graph, run->processors};
    return !export || export->write(&input, run->options->export_to, error);
}

static gboolean write_page(const Run *run, GError **error)
{
    return !run->options->html || page_write(run->match, &run->narrowed, run->findings, run->options, run->page, error);
}

static gboolean serve_page(const Run *run, GError **error)
{
    return !run->options->serve || page_serve(run->match, &run->narrowed, run->findings, run->options, error);
}

static void show_stage(Run *run, const char *name)
{
    if (run->says_progress)
        progress_stage(&run->progress, name);
}

/* All processes call this that have shared the operations out. */
static gboolean gather_left_over(Run *run, GError **error)
{
    if (!run->sharing.apart || !run->sharing.hangs)
        return TRUE;
    run->left = hiera_left_over_gather(run->match, &run->narrowed, error);
    run->narrowed.left = run->left ? hiera_left_over_peek(run->left) : NULL;
    return hiera_parallel_agree_on_error(error);
}

/* Find the partners of all operations, and build the graph, as far as they are needed. */
static gboolean connect_operations(Run *run, GError **error)
{
    if (needs_match(run->options) && !run->match) {
        show_stage(run, "matching");
        run->match = hiera_match_build(run->trace);
    }
    if (!gather_left_over(run, error))
        return FALSE;
    if (needs_graph(run->options)) {
        show_stage(run, run->match ? "building the graph" : "matching, and building the graph");
        run->graph = hiera_graph_build(run->trace, run->match, error);
    }
    return run->graph || !needs_graph(run->options);
}

static gboolean misuse_nothing(GError **error)
{
    return misuse(error, "--where: no operation fulfils it");
}

static gboolean any_chosen(const Run *run)
{
    return memchr(run->chosen, 1, run->trace->n_operations) != NULL;
}

/* Choose the operations for which --where holds, and hand all operations to the measures of protocol RANK and JOB,
 * unless that was done while the traces were read. */
static gboolean choose_operations(Run *run, GError **error)
{
    if (run->where)
        return where_stream_has_chosen(run->where) || misuse_nothing(error);
    run->narrowed.chosen = run->chosen = where_choose(run->options->where, run->trace, run->match);
    for (guint i = 0; i < run->streams->len; i++) {
        HieraStream *stream = g_ptr_array_index(run->streams, i);
        HieraSink sink = hiera_stream_sink(stream);
        hiera_trace_replay(run->trace, run->chosen, &sink);
        hiera_stream_finish(stream);
    }
    return (run->sharing.apart ? hiera_parallel_any(any_chosen(run)) : any_chosen(run)) || misuse_nothing(error);
}

static gboolean make_answers(Run *run, GError **error)
{
    if (run->trace && !connect_operations(run, error))
        return FALSE;
    show_stage(run, "measuring");
    if (run->options->where && !choose_operations(run, error))
        return FALSE;
    if (run->options->validate && !run->checked) {
        hiera_match_check(run->match, run->findings);
        identity_check(run->match, run->findings);
    }
    return measure(run, error);
}

/* Print notes on the results. They need all rows and columns, so this is done before the tables
 * get their shape. */
static void remark(const Run *run)
{
    g_autofree char *note = run->scope ? scope_check_note(run->scope) : NULL;
    g_autofree char *advice = advice_on_sites(run->tables);
    if (note && !run->options->quiet)
        report_message(note);
    if (advice && !run->options->quiet)
        report_message(advice);
}

static gboolean analyse(Run *run, GError **error)
{
    gboolean good = make_answers(run, error);
    progress_end(&run->progress);
    if (good)
        remark(run);
    for (guint i = 0; good && i < run->tables->len; i++)
        shape_apply(&run->options->shape, g_ptr_array_index(run->tables, i));
    return good && write_answers(run, error) && write_probed(run, error) && write_export(run, error) && write_page(run, error);
}

/* Print the findings that the results on standard output do not contain. */
static void report(const Run *run)
{
    const Options *options = run->options;
    gboolean measured = run->tables->len > 0;
    gboolean tables = measured || (options->validate && options->format == HIERA_FORMAT_JSON);
    Said said = tables ? report_said_by(options->format) : SAID_NOTHING;
    if (measured || !options->validate || said == SAID_ALL)
        report_findings(run->findings, said, options->quiet);
}

static int exit_status(const Run *run)
{
    if (hiera_findings_unreadable(run->findings))
        return EXIT_UNREADABLE;
    gboolean failed = hiera_findings_count_severity(run->findings, HIERA_SEVERITY_ERROR) > 0 ||
                      hiera_findings_count_severity(run->findings, HIERA_SEVERITY_WARNING) > 0;
    return run->failed || (run->options->validate && failed) ? EXIT_CHECK_FAILED : EXIT_GOOD;
}

/* Read the traces, once more if --where turns out to need them in memory. Nothing is kept of the first time.
 * @return the number of processors that were read */
static guint read_all(Run *run, const Options *options, GError **error)
{
    run_init(run, options, FALSE, TRUE);
    guint n = load(run, error);
    if (error && *error)
        return n;
    if (!run->where || !hiera_parallel_agree(!where_stream_is_sure(run->where)))
        return n;
    run_clear(run);
    run_init(run, options, TRUE, TRUE);
    return load(run, error);
}

/* Several processes that have read the traces: share the operations out, or bring them together.
 * @param good  of process 0: there is something to do */
static void share(Run *run, gboolean good, GError **error)
{
    if (!hiera_parallel_agree(good))
        return;
    hiera_share(&run->sharing, run->builder, run->catalog, run->processors, needs_of_sharing(run->options));
    run->narrowed.own = run->sharing.own;
    run->narrowed.rows = run->sharing.rows;
    run->narrowed.first = run->sharing.first;
    if (run->sharing.apart || hiera_parallel_leads())
        run->trace = hiera_builder_take_trace(run->builder, run->processors, error);
    run->sharing.apart = run->sharing.apart && hiera_parallel_agree_on_error(error);
}

/* Several processes that have shared the operations out: whether none finds anything about its own ranks. Then there
 * are the tables of --validate. */
static gboolean check_parts(Run *run)
{
    const HieraScope *scope = &run->narrowed;
    run->match = hiera_match_build_part(run->trace, scope->own);
    gboolean clean = hiera_check_is_clean(run->match, scope);
    if (hiera_parallel_any(!clean))
        return FALSE;
    clean = identity_check_holds(run->match, scope);
    if (hiera_parallel_any(!clean))
        return FALSE;
    run->checked = hiera_check_make_tables(run->match, scope, run->findings);
    return TRUE;
}

/* One process has to find what there is, for which it has to know all operations. @return as read_all() */
static guint read_together(Run *run, const Options *options, GError **error)
{
    run_clear(run);
    heap_release();
    run_init(run, options, FALSE, FALSE);
    return load(run, error);
}

/* Several processes that have shared the operations out answer what the page shows; then process 0 gets all of them for
 * its pictures. @return as read_all() */
static guint answer_page(Run *run, const Options *options, GError **error)
{
    run->match = hiera_match_build(run->trace);
    page_answers_find(run->page, run->match, &run->narrowed);
    PageAnswers *page = g_steal_pointer(&run->page);
    page_answers_hold(page, g_steal_pointer(&run->catalog), g_steal_pointer(&run->paths));
    guint n = read_together(run, options, error);
    run->page = page;
    return n;
}

static void follow_measures(Run *run, GError **error)
{
    if (!run->match)
        run->match = hiera_match_build(run->trace);
    if (!gather_left_over(run, error))
        return;
    if (run->options->where && !choose_operations(run, NULL))
        return;
    for (guint i = 0; i < run->options->measures->len; i++) {
        const HieraMeasure *measure = needs_peek_measure(run->options, i);
        if (measure->protocol == HIERA_PROTOCOL_MATCH && !shared_measure_follow(measure, run->match, &run->narrowed))
            return;
    }
}

/* Read the traces; of several processes, bring the operations where they are needed. What the others have to do for measures they do here.
 * @return as read_all() */
static guint load_all(Run *run, const Options *options, GError **error)
{
    guint n = read_all(run, options, error);
    if (run->shares)
        share(run, n > 0 && !*error, error);
    if (run->sharing.apart && options->validate && !check_parts(run))
        n = read_together(run, options, error);
    if (run->sharing.apart && run->page)
        n = answer_page(run, options, error);
    if (run->sharing.apart && !hiera_parallel_leads())
        follow_measures(run, error);
    return n;
}

/* What a process does that does not lead, besides reading its share. */
static void follow(const Options *options)
{
    if (options->export && options->export->need == HIERA_EXPORT_OF_FILES)
        hiera_conversions_follow();
}

int run(const Options *options)
{
    g_autoptr(GError) error = NULL;
    Run all;
    int status = EXIT_UNREADABLE;
    guint n = load_all(&all, options, &error);
    if (!hiera_parallel_leads())
        follow(options);
    else if (n == 0)
        report_findings(all.findings, SAID_NOTHING, options->quiet);
    else if (!error && analyse(&all, &error)) {
        report(&all);
        if (serve_page(&all, &error))
            status = exit_status(&all);
    }
    if (error) {
        report_message(error->message);
        status = EXIT_WRONG_USE; /* also if an output cannot be written or the graph does not fit into memory */
    }
    run_clear(&all);
    return status;
}

gboolean run_tables(const Options *options, gboolean tell, RunUse *use, gpointer user, GError **error)
{
    Run all;
    GError *wrong = NULL;
    if (load_all(&all, options, &wrong) > 0 && !wrong && make_answers(&all, &wrong))
        use(all.tables, all.catalog, user);
    progress_end(&all.progress);
    if (tell)
        report_findings(all.findings, SAID_NOTHING, options->quiet);
    run_clear(&all);
    if (wrong)
        g_propagate_error(error, wrong);
    return !wrong;
}
