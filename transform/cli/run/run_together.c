#include "run_together.h"
#include "base/threads.h"
#include "check_in_parts.h"
#include "checks/checks.h"
#include "heap.h"
#include "identity_check.h"
#include "matching/match.h"
#include "needs.h"
#include "parallel/parallel.h"

/* Read the traces again, with all operations in one process. @return the number of processors in them */
static guint read_again(Run *run, const Options *options, GError **error)
{
    run_clear(run);
    heap_release();
    run_init(run, options, FALSE, FALSE);
    return run_read(run, error);
}

/* Whether --validate can check part after part: nothing else is asked for, and there is a thread for each trace. */
static gboolean checks_alone(const Run *run)
{
    const Options *options = run->options;
    return options->validate && options->measures->len == 0 && !options->html && !options->serve && !options->export &&
           !options->probe && !options->where && !run->scope && hiera_parallel_size() == 1 &&
           (!hiera_threads_are_set() || hiera_threads_count() >= run->paths->len);
}

/* Read the traces part after part, and check each part. @return FALSE: the traces have to be read as a whole */
static gboolean check_alone(Run *run)
{
    HieraPartsOptions how = {.rows = CHECK_AT_ONCE};
    CheckedRun checked;
    if (run->says_progress) {
        how.progress = progress_read;
        how.progress_user = &run->progress;
    }
    run->checked = check_in_parts(run->paths, how, run->catalog, run->findings, run_reports_validation(run), &checked);
    progress_end(&run->progress);
    run->processors = checked.processors;
    run->check_tables = checked.tables;
    return run->checked;
}

/* Read the traces, and again if --where turns out to need them in memory. Nothing of the first reading is kept.
 * @return the number of processors that were read */
static guint read_all(Run *run, const Options *options, GError **error)
{
    run_init(run, options, FALSE, TRUE);
    if (checks_alone(run))
        return check_alone(run) ? run->processors->len : read_again(run, options, error);
    guint n = run_read(run, error);
    if (error && *error)
        return n;
    if (!run->where || !hiera_parallel_agree(!where_stream_is_sure(run->where)))
        return n;
    run_clear(run);
    run_init(run, options, TRUE, TRUE);
    return run_read(run, error);
}

/* After several processes have read the traces: distribute the operations, or collect them in one process.
 * @param good  process 0: whether there is something to do */
static void share(Run *run, gboolean good, GError **error)
{
    if (!hiera_parallel_agree(good))
        return;
    hiera_share(&run->sharing, run->builder, run->catalog, run->processors, needs_of_sharing(run->options));
    run->narrowed.share.own = run->sharing.own;
    run->narrowed.share.process = run->sharing.process;
    run->narrowed.share.rows = run->sharing.rows;
    run->narrowed.share.first = run->sharing.first;
    if (run->sharing.apart || hiera_parallel_leads())
        run->trace = hiera_builder_take_trace(run->builder, run->processors, error);
    if (run->sharing.catalog)
        run->narrowed.options.catalog = run->sharing.catalog;
    run->sharing.apart = run->sharing.apart && hiera_parallel_agree_on_error(error);
}

/* Processes that have distributed the operations check them, each its own ranks.
 * @return FALSE if measures contradict each other: then one process has to read everything and report it */
static gboolean check_parts(Run *run)
{
    const HieraScope *scope = &run->narrowed;
    run->match = hiera_match_build_part(run->trace, scope->share.own);
    hiera_check_together(run->match, scope, run->findings);
    run->checked = !hiera_parallel_any(!identity_check_holds(run->match, scope));
    if (run->checked && run_reports_validation(run))
        run->check_tables = hiera_check_make_tables(run->match, scope, run->findings);
    return run->checked;
}

/* Processes that have distributed the operations answer what the page shows. If other measures need all
 * operations, these are read again by process 0, which also makes the page. @return as read_all() */
static guint answer_page(Run *run, const Options *options, GError **error)
{
    if (!run->match)
        run->match = hiera_match_build(run->trace);
    if ((options->where && !run_choose(run, error)) || !run_gather_left_over(run, error))
        return run->processors->len;
    page_answers_find(run->page, run->match, &run->narrowed);
    run->page_together = needs_measures_in_parts(options);
    if (run->page_together)
        return run->processors->len;
    PageAnswers *page = g_steal_pointer(&run->page);
    page_answers_hold(page, g_steal_pointer(&run->catalog), g_steal_pointer(&run->paths));
    guint n = read_again(run, options, error);
    run->page = page;
    return n;
}

/* Run a measure in a process other than 0. Its own table is dropped, because process 0 makes the complete one. */
static gboolean follow_measure(const Run *run, const HieraMeasure *measure)
{
    g_autoptr(HieraTable) table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
    return measure->find(run->match, &run->narrowed, table, NULL);
}

static void follow_measures(Run *run, GError **error)
{
    if (needs_trace(run->options) && !run->match)
        run->match = hiera_match_build(run->trace);
    if (run->options->where && !run_choose(run, NULL))
        return;
    if (!run_gather_left_over(run, error))
        return;
    for (guint i = 0; i < run->options->measures->len; i++) {
        const HieraMeasure *measure = needs_peek_measure(run->options, i);
        if (measure->find && !follow_measure(run, measure))
            return;
    }
}

guint run_read_together(Run *run, const Options *options, GError **error)
{
    guint n = read_all(run, options, error);
    if (run->shares)
        share(run, n > 0 && !*error, error);
    if (run->sharing.apart && options->validate && !check_parts(run))
        n = read_again(run, options, error);
    if (run->sharing.apart && run->page)
        n = answer_page(run, options, error);
    if (!*error && run->sharing.apart && !hiera_parallel_leads())
        follow_measures(run, error);
    return n;
}
