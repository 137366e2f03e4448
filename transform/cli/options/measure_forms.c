#include "measure_forms.h"
#include "base/misuse.h"

enum { NAMED_MOST = 4 }; /* greatest number of runs that a message names */

static const HieraMeasure *peek(const GPtrArray *measures, guint i)
{
    return g_ptr_array_index(measures, i);
}

/* --- forms of measures by the word of --by --- */

static gboolean misuse_by(const GPtrArray *measures, const char *by, GError **error)
{
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < measures->len; i++) {
        const HieraMeasure *measure = peek(measures, i);
        if (measure->by)
            g_string_append_printf(list, "%s%s: %s", list->len ? "; " : "", measure->name, measure->by);
    }
    if (list->len == 0)
        return misuse(error, "--by %s: the chosen measures have no --by; --measure list shows which have", by);
    return misuse(error, "--by %s: there is no such word; words of %s", by, list->str);
}

/* Check --by: at least one measure has words for it, and each of these measures knows the given word. */
static gboolean check_by(const GPtrArray *measures, const HieraScope *scope, GError **error)
{
    gboolean known = FALSE;
    for (guint i = 0; scope->options.by && i < measures->len; i++) {
        const char *words = peek(measures, i)->by;
        if (words && hiera_scope_find_by(scope, words) < 0)
            return misuse_by(measures, scope->options.by, error);
        known = known || words;
    }
    return known || !scope->options.by || misuse_by(measures, scope->options.by, error);
}

static void choose_by(GPtrArray *measures, const HieraScope *scope)
{
    for (guint i = 0; i < measures->len; i++) {
        const HieraMeasure *measure = peek(measures, i);
        if (measure->forms)
            measures->pdata[i] = (gpointer)measure->forms[hiera_scope_find_by(scope, measure->by)];
    }
}

/* --- forms of measures for several runs --- */

static gboolean is_same_job(const HieraRunPaths *a, const HieraRunPaths *b)
{
    return a->job && b->job && g_str_equal(a->job, b->job);
}

/* Whether two of the runs are different jobs. @param unknown  the answer if a run does not say its job */
static gboolean are_several(const GPtrArray *runs, gboolean unknown)
{
    for (guint i = 1; i < runs->len; i++) {
        const HieraRunPaths *first = runs->pdata[0], *run = runs->pdata[i];
        gboolean known = first->job && run->job;
        if (known ? !is_same_job(first, run) : unknown)
            return TRUE;
    }
    return FALSE;
}

/* Replace each measure by its form for several runs, if it has one and several runs are named. Several folders of one
 * job are one run. */
static void choose_of_runs(GPtrArray *measures, const GPtrArray *runs)
{
    for (guint i = 0; i < measures->len; i++) {
        const HieraMeasure *measure = peek(measures, i);
        if (measure->of_runs && are_several(runs, TRUE))
            measures->pdata[i] = (gpointer)measure->of_runs;
    }
}

static const HieraMeasure *find_comparison(const GPtrArray *measures)
{
    for (guint i = 0; i < measures->len; i++) {
        if (peek(measures, i)->runs)
            return peek(measures, i);
    }
    return NULL;
}

gboolean measures_compare_runs(const GPtrArray *measures)
{
    return find_comparison(measures) != NULL;
}

/* Set the error that several runs are named. @param what  option or measure that works on one run only */
static gboolean misuse_runs(const char *what, gboolean is_measure, const GPtrArray *runs, GError **error)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < MIN(runs->len, NAMED_MOST); i++)
        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", ((const HieraRunPaths *)runs->pdata[i])->name);
    return misuse(error, "%u runs are named (%s%s), but %s%s is about one; name one of them%s", runs->len, names->str,
                  runs->len > NAMED_MOST ? ", …" : "", is_measure ? "--measure " : "", what,
                  is_measure ? ", or compare them with --measure diff or --measure efficiency" : "");
}

/* A comparison reads each run separately, so no other answer can be asked for in the same command. All other
 * answers are about one run. */
static gboolean check_runs(const GPtrArray *measures, const GPtrArray *runs, const char *other, GError **error)
{
    const HieraMeasure *comparison = find_comparison(measures);
    const char *what = measures->len > 0 ? peek(measures, 0)->name : other;
    if (!comparison)
        return !what || !are_several(runs, FALSE) || misuse_runs(what, measures->len > 0, runs, error);
    if (measures->len > 1)
        return misuse(error, "--measure %s compares runs; ask for other measures in a command of their own",
                      comparison->name);
    return !other ||
           misuse(error, "--measure %s compares runs; %s needs a command of its own", comparison->name, other);
}

gboolean measure_forms_choose(GPtrArray *measures, const HieraScope *scope, const char *const *arguments,
                              const char *other, GError **error)
{
    static const char *const none[] = {NULL};
    g_autoptr(HieraFindings) findings = hiera_findings_new(); /* dropped, as reading the traces adds them again */
    gboolean one = !arguments || !arguments[0] || !arguments[1];
    g_autoptr(GPtrArray) runs = hiera_run_paths_expand(one ? none : arguments, findings);
    choose_of_runs(measures, runs);
    if (!check_by(measures, scope, error))
        return FALSE;
    choose_by(measures, scope);
    return check_runs(measures, runs, other, error);
}
