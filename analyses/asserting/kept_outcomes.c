#include "kept_outcomes.h"

struct HieraKeptOutcomes {
    const HieraRule *rules;
    guint n_rules, n_counters;
    gboolean any;     /* TRUE if there are rules that combine values of several ranks */
    GArray *outcomes; /* HieraOutcome of each rank, by rank */
};

HieraKeptOutcomes *hiera_kept_outcomes_new(const HieraRules *rules)
{
    HieraKeptOutcomes *kept = g_new0(HieraKeptOutcomes, 1);
    kept->rules = hiera_rules_peek(rules, &kept->n_rules);
    hiera_rules_peek_counters(rules, &kept->n_counters);
    for (guint i = 0; i < kept->n_rules; i++)
        kept->any = kept->any || kept->rules[i].n_reductions > 0;
    kept->outcomes = g_array_new(FALSE, FALSE, sizeof(HieraOutcome));
    return kept;
}

void hiera_kept_outcomes_free(HieraKeptOutcomes *kept)
{
    for (guint i = 0; i < kept->outcomes->len; i++) {
        HieraOutcome *outcome = &g_array_index(kept->outcomes, HieraOutcome, i);
        for (guint rule = 0; rule < kept->n_rules; rule++)
            g_free((gpointer)outcome->kept[rule].items);
        g_free(outcome->kept);
        g_free(outcome->totals);
        g_free(outcome->unknown);
    }
    g_array_unref(kept->outcomes);
    g_free(kept);
}

void hiera_kept_outcomes_add(HieraKeptOutcomes *kept, const HieraOutcome *outcome)
{
    if (!kept->any)
        return;
    HieraOutcome copy = *outcome;
    copy.verdicts = NULL;
    copy.totals = g_memdup2(outcome->totals, kept->n_counters * sizeof *copy.totals);
    copy.unknown = g_memdup2(outcome->unknown, kept->n_counters * sizeof *copy.unknown);
    copy.kept = g_memdup2(outcome->kept, kept->n_rules * sizeof *copy.kept);
    for (guint i = 0; i < kept->n_rules; i++) {
        gsize width = HIERA_KEPT_VALUES + kept->rules[i].n_counters;
        copy.kept[i].items = g_memdup2(copy.kept[i].items, copy.kept[i].n * width * sizeof *copy.kept[i].items);
    }
    g_array_append_val(kept->outcomes, copy);
}

const HieraOutcome *hiera_kept_outcomes_peek(const HieraKeptOutcomes *kept, guint *n)
{
    *n = kept->outcomes->len;
    return (const HieraOutcome *)(void *)kept->outcomes->data;
}
