/* The page shows the results of all measures except those that compare runs or walk the graph. */
#include "page_write.h"
#include "base/output_file.h"
#include "base/threads.h"
#include "hiera_summed.h"
#include "live.h"
#include "measures.h"
#include "needs.h"
#include "page.h"
#include "parallel/parallel.h"
#include "serve.h"
#include "shared_streams.h"
#include "trace/replay.h"

/* A table of the page: a measure, in the form that a word of --by chooses. */
typedef struct {
    const HieraMeasure *measure;
    const char *by; /* word of --by; NULL: the default form */
} Shown;

static const Shown all[] = {
#define X(name) {&hiera_measure_##name, NULL},
    HIERA_MEASURES(X)
#undef X
    /* forms of measures that the pictures of the page need, beside the default forms */
    {&hiera_measure_histogram, "size"},
    {&hiera_measure_histogram, "rank"},
    {&hiera_measure_phases, "iteration"},
    {&hiera_measure_samples, "line"},
};

static const HieraMeasure *form_of(const Shown *shown)
{
    const HieraScope scope = {.options.by = shown->by};
    const HieraMeasure *measure = shown->measure;
    return measure->forms ? measure->forms[hiera_scope_find_by(&scope, measure->by)] : measure;
}

/* What the traces of all processes contain. */
typedef struct {
    gboolean rules; /* whether there are rules of --assert, or assertions in the source */
    gboolean sums;  /* whether there are only sums over calls, as in profiles */
    gboolean waits; /* whether profiles have measured waiting times */
} Content;

static Content content_of(const HieraScope *scope, const HieraTrace *trace)
{
    return (Content){scope->options.rules || trace->asserted->len > 0,
                     hiera_scope_count_operations(scope, trace) == 0 && trace->summed->len > 0,
                     hiera_trace_has_waits(trace)};
}

/* Whether the page shows a measure: not if the traces lack its data, it compares runs, or it walks the graph. */
static gboolean is_shown(const HieraMeasure *measure, const Content *content)
{
    if (content->sums && !hiera_measure_takes_sums(measure) &&
        !(hiera_measure_is(measure, HIERA_MEASURE_MEASURED_WAITS) && content->waits))
        return FALSE;
    return (!hiera_measure_is(measure, HIERA_MEASURE_ASSERTS) || content->rules) && !measure->runs && !measure->graph &&
           !hiera_measure_is(measure, HIERA_MEASURE_VERTICES);
}

/* The answers of a page, indexed like `all`: table (NULL: not shown) and scope of each measure. */
typedef struct {
    const HieraMatch *match;
    HieraTable *tables[G_N_ELEMENTS(all)];
    HieraScope scopes[G_N_ELEMENTS(all)];
    GError *errors[G_N_ELEMENTS(all)];
    gboolean known[G_N_ELEMENTS(all)]; /* whether the table is complete: several processes have already computed it */
} Answers;

/* Compute the table of a measure that takes operations one by one. */
static void answer_stream(const HieraMeasure *measure, const HieraTrace *trace, const HieraScope *scope,
                          HieraTable *table)
{
    HieraStream *stream = hiera_stream_new(measure, scope, trace->catalog, table);
    HieraSink sink = hiera_stream_sink(stream);
    hiera_trace_replay(trace, scope->chosen, &sink);
    hiera_stream_finish(stream);
    hiera_stream_free(stream);
}

static void answer(guint row, gpointer user)
{
    Answers *answers = user;
    const HieraMeasure *measure = form_of(&all[row]);
    const HieraScope *scope = &answers->scopes[row];
    HieraTable *table = answers->tables[row];
    if (!table || answers->known[row])
        return;
    if (measure->find)
        measure->find(answers->match, scope, table, &answers->errors[row]);
    else
        answer_stream(measure, hiera_match_peek_trace(answers->match), scope, table);
    if (!hiera_measure_is(measure, HIERA_MEASURE_ORDERED))
        hiera_table_settle(table);
}

/* Move the first error of the answers to the caller, and free the others. */
static gboolean hand_error(Answers *answers, GError **error)
{
    GError *first = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        if (!first)
            first = answers->errors[i];
        else
            g_clear_error(&answers->errors[i]);
    }
    if (first)
        g_propagate_error(error, first);
    return !first;
}

/* Make an empty table whose title is what the user types, as "histogram --by size". @param names  owns such titles */
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

/* --- answers of measures that several processes compute --- */

/* Arrays are indexed like `all`; pointers are NULL where one process alone answers. */
struct PageAnswers {
    GPtrArray *names;
    HieraTable *tables[G_N_ELEMENTS(all)];
    HieraStream *streams[G_N_ELEMENTS(all)]; /* streams of measures that take operations one by one */
    HieraScope scopes[G_N_ELEMENTS(all)];
    GError *errors[G_N_ELEMENTS(all)];
    gboolean found[G_N_ELEMENTS(all)]; /* whether the table is complete */
    Content content;
    HieraCatalog *catalog; /* owns texts in the tables, and is freed with the answers; NULL: these own no texts */
    GPtrArray *paths;      /* owns paths in the tables, and is freed with the answers; NULL: these own no paths */
};

PageAnswers *page_answers_new(const HieraScope *scope, const HieraCatalog *catalog)
{
    PageAnswers *answers = g_new0(PageAnswers, 1);
    answers->names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        const HieraMeasure *measure = form_of(&all[i]);
        if (!needs_has_parts(measure) || measure->graph ||
            hiera_measure_is(measure, HIERA_MEASURE_VERTICES)) /* measures that the page does not show */
            continue;
        answers->scopes[i] = *scope;
        answers->scopes[i].options.by = all[i].by;
        answers->tables[i] = make_table(&all[i], answers->names);
        if (!measure->find)
            answers->streams[i] = hiera_stream_new(measure, &answers->scopes[i], catalog, answers->tables[i]);
    }
    return answers;
}

void page_answers_free(PageAnswers *answers)
{
    if (!answers)
        return;
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        g_clear_pointer(&answers->streams[i], hiera_stream_free);
        g_clear_pointer(&answers->tables[i], hiera_table_free);
        g_clear_error(&answers->errors[i]);
    }
    g_ptr_array_unref(answers->names);
    hiera_catalog_free(answers->catalog);
    g_clear_pointer(&answers->paths, g_ptr_array_unref);
    g_free(answers);
}

/* Whether the answer is computed while the traces are read. Not if its rows refer to operations, which have no rows
 * then. */
static gboolean is_streamed(const PageAnswers *answers, guint row)
{
    return answers->streams[row] && !answers->scopes[row].where &&
           !hiera_measure_is(form_of(&all[row]), HIERA_MEASURE_ASSERTS);
}

void page_answers_add_sinks(const PageAnswers *answers, GArray *sinks)
{
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        if (!is_streamed(answers, i))
            continue;
        HieraSink sink = hiera_stream_sink(answers->streams[i]);
        g_array_append_val(sinks, sink);
    }
}

static void settle(PageAnswers *answers, guint row)
{
    answers->found[row] = TRUE;
    if (!hiera_measure_is(form_of(&all[row]), HIERA_MEASURE_ORDERED))
        hiera_table_settle(answers->tables[row]);
}

void page_answers_finish(PageAnswers *answers)
{
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        if (!is_streamed(answers, i))
            continue;
        hiera_stream_finish(answers->streams[i]);
        settle(answers, i);
    }
}

static void find(PageAnswers *answers, guint row, const HieraMatch *match, const HieraScope *scope)
{
    const HieraMeasure *measure = form_of(&all[row]);
    HieraScope *of = &answers->scopes[row];
    *of = *scope;
    of->options.by = all[row].by;
    if (answers->streams[row])
        shared_stream_replay(answers->streams[row], hiera_match_peek_trace(match), of);
    else
        measure->find(match, of, answers->tables[row], &answers->errors[row]);
}

void page_answers_find(PageAnswers *answers, const HieraMatch *match, const HieraScope *scope)
{
    Content own = content_of(scope, hiera_match_peek_trace(match));
    answers->content =
        (Content){hiera_parallel_any(own.rules), hiera_parallel_any(own.sums), hiera_parallel_any(own.waits)};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        if (!answers->tables[i] || is_streamed(answers, i) || !is_shown(form_of(&all[i]), &answers->content))
            continue;
        find(answers, i, match, scope);
        settle(answers, i);
    }
}

void page_answers_hold(PageAnswers *answers, HieraCatalog *catalog, GPtrArray *paths)
{
    answers->catalog = catalog;
    answers->paths = paths;
}

/* --- answers of measures that one process computes --- */

/* Return the table of a measure if several processes have computed it, and its error; NULL: they have not. */
static HieraTable *take_table(PageAnswers *shared, Answers *answers, guint row)
{
    if (!shared || !shared->found[row])
        return NULL;
    answers->errors[row] = g_steal_pointer(&shared->errors[row]);
    answers->known[row] = TRUE;
    return g_steal_pointer(&shared->tables[row]);
}

/* Compute all measures that the page shows, in parallel. @param shared  answers that are known already; NULL if none
 * @param tables  receives the answers @param help  receives an explanation of each @param names  keeps texts */
static gboolean answer_all(const HieraMatch *match, const HieraScope *scope, PageAnswers *shared, GPtrArray *tables,
                           GPtrArray *help, GPtrArray *names, GError **error)
{
    Answers answers = {.match = match};
    const Content content = shared ? shared->content : content_of(scope, hiera_match_peek_trace(match));
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        answers.scopes[i] = *scope;
        answers.scopes[i].options.by = all[i].by;
        if (!is_shown(form_of(&all[i]), &content))
            continue;
        answers.tables[i] = take_table(shared, &answers, i);
        if (!answers.tables[i])
            answers.tables[i] = make_table(&all[i], names);
        g_ptr_array_add(tables, answers.tables[i]);
        g_ptr_array_add(help, (gpointer)all[i].measure->help);
    }
    hiera_threads_each(G_N_ELEMENTS(all), answer, &answers);
    return hand_error(&answers, error);
}

/* What a page shows, and the arrays that its HieraPage points to. */
typedef struct {
    GPtrArray *tables, *help, *names;
    char *command;
    HieraPage page;
} Parts;

static gboolean parts_init(Parts *parts, const HieraMatch *match, const HieraScope *scope,
                           const HieraFindings *findings, const Options *options, PageAnswers *shared, GError **error)
{
    parts->tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    parts->help = g_ptr_array_new();
    parts->names = g_ptr_array_new_with_free_func(g_free);
    parts->command = g_strjoinv(" ", options->arguments);
    if (!answer_all(match, scope, shared, parts->tables, parts->help, parts->names, error))
        return FALSE;
    parts->page = (HieraPage){.match = match,
                              .scope = scope,
                              .part = options->part,
                              .tables = (HieraTable *const *)parts->tables->pdata,
                              .help = (const char *const *)parts->help->pdata,
                              .n_tables = parts->tables->len,
                              .findings = findings,
                              .command = parts->command,
                              .renew_s = live_renew_s(hiera_match_peek_trace(match))};
    return TRUE;
}

static void parts_clear(Parts *parts)
{
    g_ptr_array_unref(parts->tables);
    g_ptr_array_unref(parts->help);
    g_ptr_array_unref(parts->names);
    g_free(parts->command);
}

/* Write the page to a file. @param page  NULL: write nothing, and have the other processes stop, too */
static gboolean write_file(const HieraPage *page, const HieraScope *scope, const char *path, GError **error)
{
    HieraOutputFile output;
    gboolean good = page && hiera_output_file_open(&output, path, error);
    if (!hiera_scope_agree(scope, good))
        return FALSE;
    hiera_page_compose(page, output.stream);
    return hiera_output_file_close(&output, TRUE, error);
}

gboolean page_write(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                    const Options *options, PageAnswers *shared, GError **error)
{
    Parts parts;
    gboolean good = parts_init(&parts, match, scope, findings, options, shared, error);
    good = write_file(good ? &parts.page : NULL, scope, options->html, error);
    parts_clear(&parts);
    return good;
}

void page_give_up(const HieraScope *scope)
{
    (void)hiera_scope_agree(scope, FALSE);
}

void page_follow(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                 const Options *options)
{
    const HieraPage page = {.match = match, .scope = scope, .part = options->part, .findings = findings, .command = ""};
    if (hiera_scope_agree(scope, TRUE))
        hiera_page_compose(&page, NULL);
}

/* Choose the operations for which an expression holds, which a user of the served page wrote. @param user  the match */
static guint8 *choose(const char *expression, gpointer user, GError **error)
{
    const HieraMatch *match = user;
    Where *where = where_compile("--where", expression, error);
    guint8 *chosen = where ? where_choose(where, hiera_match_peek_trace(match), match, NULL) : NULL;
    where_free(where);
    return chosen;
}

gboolean page_serve(const HieraMatch *match, const HieraScope *scope, const HieraFindings *findings,
                    const Options *options, GError **error)
{
    Parts parts;
    g_autoptr(HieraLivePage) live = NULL;
    if (parts_init(&parts, match, scope, findings, options, NULL, error))
        live = hiera_live_page_new(&parts.page);
    const HieraServe what = {live, choose, (gpointer)match, options->quiet, parts.page.renew_s > 0};
    parts_clear(&parts);
    return live && hiera_serve(&what, options->serve, error);
}
