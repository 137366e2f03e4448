#include "extrapolation.h"
#include "hiera_load.h"
#include "saying.h"
#include "scaling/scaling.h"

/* The recorded runs of a prediction: their parts as recorded, and with changes. */
typedef struct {
    ScalingParts *parts, *changed; /* `changed`: with --speed and --message-size applied; NULL: no such options */
    ScalingChanges changes;
    GPtrArray *notes;
} Runs;

static gboolean add_run(Runs *runs, RecordedRun *run, const char *name, GError **error)
{
    if (!scaling_parts_add(runs->parts, run, NULL, name, runs->notes, error))
        return FALSE;
    if (!runs->changed)
        return TRUE;
    speeds_decide(runs->changes.speeds, run->trace, run->match);
    sizes_decide(runs->changes.sizes, run->trace, run->match, run->is_call);
    return scaling_parts_add(runs->changed, run, &runs->changes, name, runs->notes, error);
}

/* Read the runs one after another: each is freed when its parts have been added. */
static gboolean read_runs(const PredictOptions *options, HieraFindings *findings, Runs *runs, GError **error)
{
    g_autoptr(GPtrArray) paths_of_runs = hiera_run_paths_expand((const char *const *)options->arguments, findings);
    gboolean good = TRUE;
    say_findings(findings, options);
    for (guint i = 0; i < paths_of_runs->len && good; i++) {
        const HieraRunPaths *of = g_ptr_array_index(paths_of_runs, i);
        RecordedRun run;
        g_autoptr(GPtrArray) paths = g_ptr_array_copy(of->paths, NULL, NULL);
        g_ptr_array_set_free_func(paths, NULL);
        g_ptr_array_add(paths, NULL);
        good = recorded_run_load(&run, (const char *const *)paths->pdata, error);
        say_findings(run.findings, options);
        good = good && add_run(runs, &run, of->name, error);
        recorded_run_clear(&run);
    }
    return good;
}

/* Read the runs, and predict. @return HieraTable; NULL with an error */
static GPtrArray *extrapolate_runs(const PredictOptions *options, HieraFindings *findings, Runs *runs, GError **error)
{
    const ScalingRequest request = {.ranks = options->ranks,
                                    .network = options->machine.between,
                                    .inside = options->machine.inside,
                                    .mapping = options->machine.mapping,
                                    .all = options->shape.format != HIERA_FORMAT_TABLE,
                                    .assumed = &options->scaling};
    if (options->machine.mapping && !options->machine.has_inside)
        g_ptr_array_add(runs->notes,
                        g_strdup("--mapping counts with --network-inside alone: without it all messages take "
                                 "the same network"));
    g_autoptr(GPtrArray) again = g_ptr_array_new_with_free_func(g_free);
    gboolean good = read_runs(options, findings, runs, error) &&
                    scaling_assumed_apply(&options->scaling, runs->parts, runs->notes, error) &&
                    (!runs->changed || scaling_assumed_apply(&options->scaling, runs->changed, again, error));
    return good ? scaling_make_tables(runs->parts, runs->changed, &request, runs->notes, error) : NULL;
}

int predict_other_ranks(const PredictOptions *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    g_autoptr(ScalingParts) parts = scaling_parts_new();
    g_autoptr(ScalingParts) changed =
        speeds_are_given(options->speeds) || sizes_are_given(options->sizes) ? scaling_parts_new() : NULL;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    Runs runs = {parts, changed, {options->machine, options->speeds, options->sizes}, notes};
    GPtrArray *tables = extrapolate_runs(options, findings, &runs, &error);
    if (!options->quiet && tables)
        say_useless(options);
    say_notes(options, notes);
    if (!tables)
        say(error->message);
    int status = tables ? write_answer(findings, options, tables)
                 : error->domain == G_FILE_ERROR || g_error_matches(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE)
                     ? WRONG_USE
                     : UNREADABLE;
    return hiera_findings_unreadable(findings) ? UNREADABLE : status;
}
