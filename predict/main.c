/* hiera-predict: predicts the time of a recorded run, or of a program that was never run, on another machine. */
#include "calibration/calibration.h"
#include "executable/executable.h"
#include "extrapolation.h"
#include "recorded.h"
#include "saying.h"
#include <locale.h>
#include <stdio.h>

static int predict_executable(const PredictOptions *options)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    gboolean incomplete = FALSE;
    GPtrArray *tables = executable_make_tables(&options->executable, &options->machine, options->output,
                                               options->command, notes, &incomplete, &error);
    say_notes(options, notes);
    if (tables) {
        int status = write_answer(findings, options, tables);
        return status == GOOD && incomplete ? DOES_NOT_END : status;
    }
    say(error->message);
    if (g_error_matches(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE) ||
        g_error_matches(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT))
        return WRONG_USE;
    return g_error_matches(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ) ? UNREADABLE : DOES_NOT_END;
}

static int answer(const PredictOptions *options)
{
    switch (options->command_is) {
    case PREDICT_SCALE:
        return predict_other_ranks(options);
    case PREDICT_EXECUTABLE:
        return predict_executable(options);
    case PREDICT_CALIBRATE:
        return calibration_run(options->calibrate, (guint)options->turns, &options->shape);
    default:
        return predict_recorded(options);
    }
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C"); /* CSV and JSON need a decimal point, not the decimal comma of some locales */
    g_autoptr(GError) error = NULL;
    PredictOptions options = {0};
    int status = WRONG_USE;
    if (command_help(argc, argv))
        return GOOD;
    if (!predict_options_parse(&options, argc, argv, &error)) {
        say(error->message);
    } else if (options.version) {
        printf("hiera-predict %s\n", HIERA_VERSION);
        status = GOOD;
    } else {
        say_old_spelling(&options);
        status = answer(&options);
    }
    predict_options_clear(&options);
    return status;
}
