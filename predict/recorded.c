#include "recorded.h"
#include "answers/beside.h"
#include "answers/predicted_times.h"
#include "answers/prediction.h"
#include "answers/sensitivity.h"
#include "answers/sweep.h"
#include "hiera_load.h"
#include "run/ideal_run.h"
#include "run/simulation.h"
#include "saying.h"
#include <stdio.h>

/* --- notes: what the answer does not take into account --- */

/* Print how many receives from any rank, or with any tag, took another message than recorded. */
static void say_rematched(const PredictOptions *options, const Feeder *feeder, gboolean ended)
{
    if (options->quiet || !options->rematch)
        return;
    guint64 n_others, n_anew = feeder_count_rematched(feeder, &n_others);
    if (!ended && n_others == 0)
        return;
    fprintf(stderr,
            "hiera-predict: note: %s%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
            " receives from any rank, or with any tag, %s other messages than recorded%s\n",
            ended ? "" : "before, ", n_others, n_anew, ended ? "take" : "took",
            ended ? "; what ranks do then is as recorded" : "");
}

/* Print what of threads is assumed, or not simulated. */
static void say_threads(const RecordedRun *run, const RunSimulation *simulation)
{
    const ActsFound *found = &simulation->threads;
    gboolean threaded = FALSE, has_args = FALSE;
    for (guint32 i = 0; i < run->trace->n_processors; i++) {
        threaded |= run->trace->processors[i].threaded;
        has_args |= found->n_threads > 0 && run->trace->processors[i].attributes >> found->args & 1;
    }
    if (threaded && found->n_ranks == 0)
        say("note: what threads other than the main thread do is not simulated; all numbers are those of main threads");
    else if (found->n_paused > 0)
        fprintf(stderr,
                "hiera-predict: note: waits of threads for what is not known (atomic and ordered code, older "
                "traces' tasks and locks), and MPI calls of other threads than main threads, take as long as recorded: "
                "%" G_GINT64_FORMAT "\n",
                found->n_paused);
    if (found->n_contradicted > 0)
        fprintf(stderr,
                "hiera-predict: note: waits of threads for each other that recorded times contradict take as long as "
                "recorded: %" G_GINT64_FORMAT "\n",
                found->n_contradicted);
    if (found->n_threads > 0 && found->n_nested > 0)
        fprintf(stderr,
                "hiera-predict: note: --threads: regions or locks are in others, or times contradict each other "
                "(%" G_GINT64_FORMAT " times); ranks with such keep the recorded threads\n",
                found->n_nested);
    if (found->n_large > 0)
        fprintf(stderr,
                "hiera-predict: note: --threads: ranks that take too much memory with so many threads keep the "
                "recorded ones: %" G_GUINT64_FORMAT "\n",
                found->n_large);
    if (found->n_regions > 0)
        fprintf(stderr,
                "hiera-predict: note: --threads: in %" G_GINT64_FORMAT " execution%s of regions, %u thread%s what is "
                "computed, as unevenly as recorded, and loops of dynamic schedule evenly; critical sections and "
                "single constructs take as long as before. What each thread computes for itself, and what threads do "
                "to memory and clocks, is not known\n",
                found->n_regions, found->n_regions == 1 ? "" : "s", found->n_threads,
                found->n_threads == 1 ? " has" : "s share");
    if (found->n_regions > 0 && !has_args)
        say("note: --threads: no schedule of a loop is recorded; all loops count as static ones");
    if (found->n_threads > 0 && found->n_regions == 0 && found->n_nested == 0 && found->n_large == 0)
        say("note: --threads: no region of OpenMP is recorded (hiera-run --level=openmp)");
}

/* Print what the prediction does not take into account. */
static void say_limits(const RecordedRun *run, const PredictOptions *options, const RunSimulation *simulation)
{
    const Feeder *feeder = simulation->feeder;
    guint64 n_kept = feeder ? feeder_count_kept(feeder) : 0, n_unsure = feeder ? 0 : ideal_run_count_unsure(run);
    say_useless(options);
    if (n_kept > 0)
        fprintf(stderr,
                "hiera-predict: note: %" G_GUINT64_FORMAT
                " calls take as long as recorded, because their partners are not known\n",
                n_kept);
    if (n_unsure > 0)
        fprintf(stderr,
                "hiera-predict: note: %" G_GUINT64_FORMAT
                " calls do not wait for others, because the recorded times contradict that they did; how long they "
                "waited is not known\n",
                n_unsure);
    say_rematched(options, feeder, TRUE);
    say_threads(run, simulation);
}

/* Print which rank waits for which other one, and in which call, in a run that does not end. */
static void say_stuck(const RecordedRun *run, const HieraSimResult *result)
{
    for (guint32 i = 0; i < result->n_stuck; i++) {
        const HieraSimStuck *stuck = &result->stuck[i];
        const HieraSite *site =
            stuck->token > 0 ? hiera_trace_peek_site(run->trace, (guint32)(stuck->token - 1)) : NULL;
        g_autofree char *place = site ? hiera_site_place(site) : g_strdup("");
        fprintf(stderr, "hiera-predict:   P%u waits in %s %s for P%u\n", run->trace->processors[stuck->rank].rank,
                site ? site->operation : "", place, run->trace->processors[stuck->waits_for].rank);
    }
}

/* --- writing the answer that was asked for --- */

static int sweep(const RecordedRun *run, const PredictOptions *options)
{
    const char *note = NULL;
    g_autoptr(GError) error = NULL;
    const SweepRequest request = {&options->machine, options->speeds, options->sweep,
                                  options->shape.format != HIERA_FORMAT_TABLE, options->plot};
    GPtrArray *tables = sweep_make_tables(run, &request, &note, &error);
    if (!tables) {
        say(error->message);
        return g_error_matches(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE) ? WRONG_USE : DOES_NOT_END;
    }
    if (note && !options->quiet)
        fprintf(stderr, "hiera-predict: note: %s\n", note);
    return write_answer(run->findings, options, tables);
}

/* Write the run as input of another simulator, and print what that input lacks. */
static gboolean export(const RecordedRun *run, const PredictOptions *options)
{
    ScriptLimits limits;
    g_autoptr(GError) error = NULL;
    if (!predict_export_write(options->export, run, options->speeds, options->export_path, &limits, &error)) {
        say(error->message);
        return FALSE;
    }
    if (limits.n_kept > 0 && !options->quiet)
        fprintf(stderr,
                "hiera-predict: note: %s: %" G_GUINT64_FORMAT
                " calls are computation, because their partners are not known\n",
                options->export_path, limits.n_kept);
    if (limits.n_one_sided > 0 && !options->quiet)
        fprintf(stderr,
                "hiera-predict: note: %s: %" G_GUINT64_FORMAT
                " one-sided calls are computation, because the format has none\n",
                options->export_path, limits.n_one_sided);
    return TRUE;
}

static int say_sensitivity(const RecordedRun *run, const PredictOptions *options, gint64 end_ps)
{
    g_autoptr(GError) error = NULL;
    GPtrArray *tables = sensitivity_make_tables(run, &options->machine, options->speeds,
                                                options->shape.format != HIERA_FORMAT_TABLE, end_ps, &error);
    if (tables)
        return write_answer(run->findings, options, tables);
    say(error->message);
    return DOES_NOT_END;
}

/* Answer with measures of the recorded and the predicted run. @param times  times of the predicted run */
static int say_measures(RecordedRun *run, const PredictOptions *options, PredictedTimes *times,
                        const HieraSimResult *result)
{
    enum { MOST = 10 };
    g_autoptr(GPtrArray) columns = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    guint most = options->shape.format == HIERA_FORMAT_TABLE ? MOST : 0;
    GPtrArray *tables = beside_make_tables(run, times, result, options->measures, most, columns, notes, &error);
    if (!tables) {
        say(error->message);
        return WRONG_USE;
    }
    int status = write_answer(run->findings, options, tables);
    say_notes(options, notes);
    return status;
}

/* Answer with tables of recorded and predicted times side by side. */
static int say_prediction(const RecordedTimes *recorded, const RunSimulation *simulation, HieraFindings *findings,
                          const PredictOptions *options)
{
    GPtrArray *tables = prediction_make_tables(recorded, simulation);
    for (guint i = 0; i < tables->len; i++)
        hiera_table_check(tables->pdata[i], findings);
    return write_answer(findings, options, tables);
}

static int predict(RecordedRun *run, const PredictOptions *options)
{
    g_auto(RunSimulation) simulation = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(PredictedTimes) times = options->output || options->measures ? predicted_times_new(run) : NULL;
    const SpanFollower follower = times ? predicted_times_follow(times) : (SpanFollower){0};
    speeds_decide(options->speeds, run->trace, run->match);
    if (options->export && !export(run, options))
        return WRONG_USE;
    if (!simulation_run(&simulation, run, &options->machine, options->speeds, times ? &follower : NULL, &error)) {
        say(error->message);
        say_stuck(run, &simulation.result);
        say_rematched(options, simulation.feeder, FALSE);
        return DOES_NOT_END;
    }
    if (!options->quiet)
        say_limits(run, options, &simulation);
    if (options->sweep.name)
        return sweep(run, options);
    if (options->output && !predicted_times_write(times, &simulation.result, options->machine.mapping != NULL,
                                                  options->command, options->output, &error)) {
        say(error->message);
        return WRONG_USE;
    }
    if (options->measures)
        return say_measures(run, options, times, &simulation.result);
    if (options->sensitivity)
        return say_sensitivity(run, options, simulation.result.end_ps);
    g_auto(RecordedTimes) recorded = {0};
    recorded_times_add(&recorded, run);
    return say_prediction(&recorded, &simulation, run->findings, options);
}

/* --- reading the run --- */

static gboolean place(Hosts *hosts, const HieraTrace *trace, const PredictOptions *options)
{
    g_autoptr(GError) error = NULL;
    g_autofree guint32 *ranks = g_new(guint32, (gsize)trace->n_processors + 1);
    for (guint32 i = 0; i < trace->n_processors; i++)
        ranks[i] = trace->processors[i].rank;
    if (!options->machine.mapping || hosts_map(hosts, ranks, trace->n_processors, options->machine.mapping, &error))
        return TRUE;
    say(error->message);
    return FALSE;
}

/* Whether the answer needs each operation only once, so that the run can be read and simulated part by part. */
static gboolean may_be_in_parts(const PredictOptions *options)
{
    return options->at_once > 0 && !options->sweep.name && !options->sensitivity && !options->measures &&
           !options->output && !options->export && !options->rematch && !options->machine.ideal &&
           options->machine.threads == 0 && speeds_are_local(options->speeds) && sizes_are_local(options->sizes);
}

/* @return FALSE: the run cannot be read in parts, and nothing was printed */
static gboolean predict_in_parts(const PredictOptions *options, int *status)
{
    g_autoptr(RunParts) parts =
        run_parts_open((const char *const *)options->arguments, (guint64)options->at_once, options->sizes);
    g_auto(RunSimulation) simulation = {0}; /* declared last to be cleared first: the simulation uses `parts` */
    RecordedRun *first = run_parts_next(parts);
    if (!first)
        return FALSE;
    speeds_decide(options->speeds, first->trace, first->match);
    if (!place(&first->hosts, first->trace, options)) {
        *status = WRONG_USE;
        run_parts_free_part(first);
        return TRUE;
    }
    if (!simulation_run_parts(&simulation, parts, first, &options->machine, options->speeds, NULL))
        return FALSE;
    HieraFindings *findings = run_parts_peek_findings(parts);
    say_findings(findings, options);
    if (!options->quiet)
        say_useless(options);
    *status = say_prediction(run_parts_peek_times(parts), &simulation, findings, options);
    if (*status == GOOD && hiera_findings_unreadable(findings))
        *status = UNREADABLE;
    return TRUE;
}

/* Whether all traces of the command line are of one run; otherwise print an error. */
static gboolean is_one_run(const PredictOptions *options)
{
    g_autoptr(HieraFindings) unused = hiera_findings_new();
    g_autoptr(GPtrArray) runs = hiera_run_paths_expand((const char *const *)options->arguments, unused);
    if (runs->len < 2)
        return TRUE;
    const HieraRunPaths *first = runs->pdata[0], *second = runs->pdata[1];
    g_autofree char *text = g_strdup_printf("%s and %s are different runs: name one of them, or ask 'hiera-predict "
                                            "scale' for how many ranks the run is to be predicted from all",
                                            first->name, second->name);
    say(text);
    return FALSE;
}

int predict_recorded(const PredictOptions *options)
{
    g_autoptr(GError) error = NULL;
    RecordedRun run;
    int status;
    if (!is_one_run(options))
        return WRONG_USE;
    if (may_be_in_parts(options) && predict_in_parts(options, &status))
        return status;
    gboolean read = recorded_run_load(&run, (const char *const *)options->arguments, &error);
    say_findings(run.findings, options);
    if (!read)
        say(error->message);
    if (read) {
        sizes_decide(options->sizes, run.trace, run.match, run.is_call);
        run.sizes = options->sizes;
        run.rematch = options->rematch;
    }
    status = read && !place(&run.hosts, run.trace, options)                     ? WRONG_USE
             : read                                                             ? predict(&run, options)
             : g_error_matches(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE) ? WRONG_USE
                                                                                : UNREADABLE;
    if (status == GOOD && hiera_findings_unreadable(run.findings))
        status = UNREADABLE;
    recorded_run_clear(&run);
    return status;
}
