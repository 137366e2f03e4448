/* The options --assert, --baseline, --estimate and --reports, which are about rules. */
#pragma once

#include "assertions/assertions.h"
#include "hiera_measure.h"

/* Read the file of --assert; call it before the measures are chosen. @param path  NULL: the option is not given */
gboolean assert_options_read(HieraRules **rules, const char *path, GError **error);
/* Call this after the measures are chosen: it adds the measure that judges rules if there are rules, and reads the
 * values it needs.
 *
 * @param measures  const HieraMeasure *
 * @param pages     whether a page is made, which shows assertions in the source code
 * @param values    values of `${NAME}`; stays NULL if there are none, or no rules are judged */
gboolean assert_options_set(GPtrArray *measures, const HieraRules *rules, gboolean pages, HieraRuleValues **values,
                            GError **error);
/* Refuse --format junit if the answer has no results of rules. @param has_columns  --columns is given */
gboolean assert_options_check_junit(const GPtrArray *measures, const HieraRules *rules, gboolean has_columns,
                                    GError **error);
/* Options that compare rules with other runs, or take their results from elsewhere. */
typedef struct {
    const char *baseline; /* folder of the run that --baseline names; NULL: not given */
    gboolean estimate;
    gboolean reports; /* whether --reports is given */
    gboolean alone;   /* whether the command asks for nothing but the results of the rules */
} AssertRuns;
/* Refuse --baseline and --estimate if the rules do not use them, and refuse rules that need one of them if it is
 * missing. */
gboolean assert_options_check_runs(const HieraRules *rules, const AssertRuns *runs, GError **error);

/* Print each `${NAME}` of the rules that has no value. */
void assert_options_note_limits(const HieraRules *rules);

/* Refuse --reports together with options that need traces.
 * @param trace   the first trace that is named; NULL if there is none
 * @param others  another answer is asked for as well */
gboolean assert_options_check_reports(const char *trace, gboolean others, GError **error);
