/* See measure_options.h. Each of these options is refused if no chosen measure uses it. */
#include "measure_options.h"
#include "base/misuse.h"
#include "measures.h"
#include "values/hypotheses.h"
#include <string.h>

#define BINS_MAX    100000
#define PERCENT_MAX 1000000

static gboolean set_bins(HieraScope *scope, const GPtrArray *measures, const char *text, GError **error)
{
    guint64 bins;
    gboolean known = FALSE;
    for (guint i = 0; i < measures->len; i++)
        known = known || hiera_measure_is(((const HieraMeasure *)g_ptr_array_index(measures, i)), HIERA_MEASURE_BINS);
    if (!text)
        return TRUE;
    if (!known)
        return misuse(error, "--bins %s: the chosen measures have no bins; --measure list shows which have", text);
    if (!g_ascii_string_to_unsigned(text, 10, 1, BINS_MAX, &bins, NULL))
        return misuse(error, "--bins '%s' is not a number from 1 to %d", text, BINS_MAX);
    scope->options.bins = (guint)bins;
    return TRUE;
}

/* Parse --fail-above, a number of percent, and store it in the scope in hundredths of a percent. */
static gboolean set_fail_above(HieraScope *scope, const GPtrArray *measures, const char *text, GError **error)
{
    gint64 billionths;
    gboolean known = FALSE;
    for (guint i = 0; i < measures->len; i++)
        known =
            known || hiera_measure_is(((const HieraMeasure *)g_ptr_array_index(measures, i)), HIERA_MEASURE_FAIL_ABOVE);
    if (!text)
        return TRUE;
    if (!known)
        return misuse(error, "--fail-above %s: only --measure diff has a threshold, by reference or waiting", text);
    if (!hiera_seconds_parse(text, strlen(text), &billionths) || billionths < 0 ||
        billionths > PERCENT_MAX * G_GINT64_CONSTANT(1000000000))
        return misuse(error, "--fail-above '%s' is not a percentage; write a number like 5 or 2.5", text);
    scope->options.fail_above = billionths / 10000000;
    return TRUE;
}

static gboolean set_scaling(HieraScope *scope, const GPtrArray *measures, const char *text, GError **error)
{
    gboolean known = FALSE;
    for (guint i = 0; i < measures->len; i++)
        known =
            known || hiera_measure_is(((const HieraMeasure *)g_ptr_array_index(measures, i)), HIERA_MEASURE_SCALING);
    if (!text)
        return TRUE;
    if (!known)
        return misuse(error, "--scaling %s: only --measure efficiency of several runs has it; name two or more", text);
    scope->options.weak = strcmp(text, "weak") == 0;
    return scope->options.weak || strcmp(text, "strong") == 0 ||
           misuse(error, "--scaling '%s' is neither 'strong' nor 'weak'", text);
}

static gboolean set_thresholds(HieraScope *scope, const GPtrArray *measures, const char *text, GError **error)
{
    static const char names[] =
#define X(identifier, name, percent) " " name
        HIERA_THRESHOLDS(X)
#undef X
        ;
    gint64 thresholds[HIERA_N_THRESHOLDS];
    gboolean known = FALSE;
    for (guint i = 0; i < measures->len; i++)
        known =
            known || hiera_measure_is(((const HieraMeasure *)g_ptr_array_index(measures, i)), HIERA_MEASURE_THRESHOLDS);
    scope->options.thresholds = text;
    if (!text)
        return TRUE;
    if (!known)
        return misuse(error, "--thresholds %s: the chosen measures have no thresholds; bottlenecks and loops have",
                      text);
    return hiera_thresholds_parse(text, thresholds) ||
           misuse(error,
                  "--thresholds '%s' is not a list of percentages; write for example imbalance=5,io=2.5 (names:%s)",
                  text, names);
}

gboolean measure_options_set(HieraScope *scope, const GPtrArray *measures, const MeasureWords *words, GError **error)
{
    return set_scaling(scope, measures, words->scaling, error) &&
           set_thresholds(scope, measures, words->thresholds, error) && set_bins(scope, measures, words->bins, error) &&
           set_fail_above(scope, measures, words->fail_above, error);
}
