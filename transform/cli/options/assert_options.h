/* The options that are about rules: --assert, and those that are only for them. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

/* Read the file of --assert, before the measures are chosen. @param path  NULL: the option is not given */
gboolean assert_options_read(HieraRules **rules, const char *path, GError **error);
/* The measures are chosen: add the one that judges rules if there are some, and read what it needs besides.
 *
 * @param measures  const HieraMeasure *
 * @param pages     a page is made, which shows assertions in the source
 * @param values    of `${NAME}`; stays NULL if there are none, or nothing is judged */
gboolean assert_options_set(GPtrArray *measures, const HieraRules *rules, gboolean pages, HieraRuleValues **values,
                            GError **error);
/* Refuse --format junit where it has nothing to write. @param has_columns  --columns is given */
gboolean assert_options_check_junit(const GPtrArray *measures, const HieraRules *rules, gboolean has_columns,
                                    GError **error);
/* What is asked of other runs. */
typedef struct {
    const char *baseline; /* NULL: --baseline is not given */
    gboolean estimate;
    gboolean reports; /* --reports is given */
    gboolean alone;   /* nothing but rules is asked for */
} AssertRuns;
/* Refuse --baseline and --estimate where the rules have no use for them, and rules that need them without them. */
gboolean assert_options_check_runs(const HieraRules *rules, const AssertRuns *runs, GError **error);

/* Say which names of rules have no value. */
void assert_options_note_limits(const HieraRules *rules);

/* Refuse --reports with what needs traces.
 * @param trace   the first trace that is named; NULL: none
 * @param others  something is asked for besides */
gboolean assert_options_check_reports(const char *trace, gboolean others, GError **error);
