#include "assert_options.h"
#include "assert_file.h"
#include "base/misuse.h"
#include "measures.h"
#include "report.h"

gboolean assert_options_read(HieraRules **rules, const char *path, GError **error)
{
    return !path || (*rules = assert_file_read(path, error));
}

gboolean assert_options_set(GPtrArray *measures, const HieraRules *rules, gboolean pages, HieraRuleValues **values,
                            GError **error)
{
    gboolean asked = FALSE;
    for (guint i = 0; i < measures->len; i++)
        asked =
            asked || hiera_measure_is(((const HieraMeasure *)g_ptr_array_index(measures, i)), HIERA_MEASURE_ASSERTS);
    if (rules && !asked)
        g_ptr_array_add(measures, (gpointer)&hiera_measure_assertions);
    return (!rules && !asked && !pages) || assert_file_read_values(values, error);
}

gboolean assert_options_check_junit(const GPtrArray *measures, const HieraRules *rules, gboolean has_columns,
                                    GError **error)
{
    for (guint i = 0; i < measures->len; i++) {
        const HieraMeasure *measure = g_ptr_array_index(measures, i);
        if (!hiera_measure_is(measure, HIERA_MEASURE_ASSERTS))
            return misuse(error, "--format junit writes what became of rules, and %s has none; %s", measure->name,
                          rules ? "leave --measure out" : "name a file of rules with --assert FILE");
    }
    if (measures->len == 0)
        return misuse(error,
                      "--format junit writes what became of rules; name a file of them with --assert FILE, or ask for "
                      "--measure assertions");
    for (guint i = 0; i < measures->len; i++) {
        if (g_ptr_array_index(measures, i) != &hiera_measure_assertions)
            return misuse(error, "--format junit has a test for each rule; leave --by out");
    }
    return !has_columns || misuse(error, "--format junit has no columns; leave --columns out");
}

void assert_options_note_limits(const HieraRules *rules)
{
    guint n_rules;
    char text[HIERA_RULES_REPORT];
    const HieraRule *rule = hiera_rules_peek(rules, &n_rules);
    for (guint i = 0; i < n_rules; i++) {
        if (hiera_rule_report_limit(rules, &rule[i], text))
            report_message(text);
    }
}

gboolean assert_options_check_reports(const char *trace, gboolean others, GError **error)
{
    if (trace)
        return misuse(error, "--reports takes the place of traces; leave '%s' out", trace);
    return !others ||
           misuse(error, "--reports has what became of rules, and nothing else; leave the other options out");
}

/* Return the first rule that uses baseline(); NULL: no rule does. */
static const HieraRule *find_baseline(const HieraRules *rules)
{
    guint n_outside, n_rules;
    const HieraOutside *outside = hiera_rules_peek_outside(rules, &n_outside);
    for (guint i = 0; i < n_outside; i++) {
        if (!outside[i].measure)
            return &hiera_rules_peek(rules, &n_rules)[outside[i].rule];
    }
    return NULL;
}

static gboolean check_baseline(const HieraRules *rules, const AssertRuns *runs, GError **error)
{
    const HieraRule *rule = rules ? find_baseline(rules) : NULL;
    if (rule && !runs->baseline && !runs->reports) /* with --reports no error: what the rule measured in the program can
                                                      be shown without a comparison */
        return misuse(error, "%s:%u: the rule compares with a kept run; name it with --baseline RUN", rule->source,
                      rule->line);
    return rule || !runs->baseline ||
           misuse(error, "--baseline %s: no rule of --assert asks for baseline(…)", runs->baseline);
}

static gboolean check_estimate(const HieraRules *rules, const AssertRuns *runs, GError **error)
{
    guint n_limits = 0, n_rules = 0;
    const HieraRule *rule = rules ? hiera_rules_peek(rules, &n_rules) : NULL;
    if (rules)
        hiera_rules_peek_limits(rules, &n_limits);
    if (n_limits == 0)
        return misuse(error, "--estimate: name a file of rules with --assert FILE, of which one has a ${NAME} that has "
                             "no value yet");
    for (guint i = 0; i < n_rules; i++) {
        if (rule[i].n_limits > 1)
            return misuse(error, "--estimate: %s:%u: a rule may have only one ${NAME} without a value", rule[i].source,
                          rule[i].line);
    }
    return runs->alone || misuse(error, "--estimate writes limits alone; leave --measure out");
}

gboolean assert_options_check_runs(const HieraRules *rules, const AssertRuns *runs, GError **error)
{
    return check_baseline(rules, runs, error) && (!runs->estimate || check_estimate(rules, runs, error));
}
