/* Find measures by name, and list them; see measure_names.h. */
#include "measure_names.h"
#include "base/misuse.h"
#include "measures.h"
#include "text/nearest.h"
#include <string.h>

#define TERMINAL_WIDTH 80
#define LIST_INDENT    17 /* column of the terminal where the explanation of a measure begins */

static const HieraMeasure *const measures[] = {
#define X(name) &hiera_measure_##name,
    HIERA_MEASURES(X)
#undef X
};

/* Write the names of a measure's columns, as "columns: a,b,c", in lines of the terminal's width. */
static void list_columns(const HieraMeasure *measure, FILE *stream)
{
    int at = fprintf(stream, "%*scolumns: ", LIST_INDENT + 2, "");
    for (guint i = 0; i < measure->n_columns; i++) {
        const char *name = measure->columns[i].name, *comma = i + 1 < measure->n_columns ? "," : "";
        if (at + (int)strlen(name) + 1 > TERMINAL_WIDTH)
            at = fprintf(stream, "\n%*s", LIST_INDENT + 11, "") - 1;
        at += fprintf(stream, "%s%s", name, comma);
    }
    fputc('\n', stream);
}

static void list_forms(const HieraMeasure *measure, FILE *stream)
{
    g_auto(GStrv) words = g_strsplit(measure->by, ",", -1);
    for (guint i = 0; words[i]; i++) {
        fprintf(stream, "%*s--by %s%s%s%s%s%s\n", LIST_INDENT + 2, "", words[i], i == 0 ? " (default)" : "",
                hiera_measure_is(measure->forms[i], HIERA_MEASURE_BINS) ? ", --bins N" : "",
                hiera_measure_is(measure->forms[i], HIERA_MEASURE_FAIL_ABOVE) ? ", --fail-above PERCENT" : "",
                hiera_measure_is(measure->forms[i], HIERA_MEASURE_SCALING) ? ", --scaling strong|weak" : "",
                measure->forms[i]->counters ? ", --counters NAME,…" : "");
        list_columns(measure->forms[i], stream);
    }
}

static void list_measure(const HieraMeasure *measure, FILE *stream)
{
    fprintf(stream, "%-*s%s\n", LIST_INDENT, measure->name, measure->help);
    if (measure->forms)
        list_forms(measure, stream);
    else
        list_columns(measure, stream);
    if (measure->by && !measure->forms)
        fprintf(stream, "%*s--by %s\n", LIST_INDENT + 2, "", measure->by);
    if (hiera_measure_is(measure, HIERA_MEASURE_BINS) && !measure->forms)
        fprintf(stream, "%*s--bins N\n", LIST_INDENT + 2, "");
    if (measure->counters)
        fprintf(stream, "%*s--counters NAME,…\n", LIST_INDENT + 2, "");
    if (hiera_measure_is(measure, HIERA_MEASURE_ASSERTS))
        fprintf(stream, "%*s--assert FILE\n", LIST_INDENT + 2, "");
    if (hiera_measure_is(measure, HIERA_MEASURE_THRESHOLDS))
        fprintf(stream, "%*s--thresholds NAME=PERCENT,…\n", LIST_INDENT + 2, "");
    if (measure->of_runs) {
        fprintf(stream, "%*sof several runs:\n", LIST_INDENT, "");
        list_forms(measure->of_runs, stream);
    }
}

void measure_names_list(FILE *stream)
{
    for (guint i = 0; i < G_N_ELEMENTS(measures); i++)
        list_measure(measures[i], stream);
}

static gboolean misuse_measure(const char *name, GError **error)
{
    const char *names[G_N_ELEMENTS(measures)];
    for (guint i = 0; i < G_N_ELEMENTS(measures); i++)
        names[i] = measures[i]->name;
    const char *nearest = hiera_nearest_of(name, names, G_N_ELEMENTS(names));
    return misuse(error, "there is no measure '%s'%s%s%s; --measure list explains all measures", name,
                  nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "");
}

const HieraMeasure *measure_names_find(const char *name, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(measures); i++) {
        if (strcmp(measures[i]->name, name) == 0)
            return measures[i];
    }
    misuse_measure(name, error);
    return NULL;
}
