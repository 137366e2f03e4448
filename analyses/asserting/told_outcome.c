#include "told_outcome.h"

typedef struct {
    HieraSourceAssertion assertion;
    HieraVerdicts verdicts;
} Source;

struct HieraToldOutcome {
    HieraOutcome outcome;
    const HieraRule *rules;
    guint n_rules, n_counters;
    GArray *source; /* Source: results of assertions in the source */
};

/* --- packing verdicts --- */

static void pack_verdicts(HieraPacker *to, const HieraVerdicts *verdicts)
{
    hiera_pack_bytes(to, verdicts, sizeof *verdicts);
    hiera_pack_text(to, verdicts->first.sides.operator_);
    hiera_pack_text(to, verdicts->worst.sides.operator_);
    hiera_pack_text(to, verdicts->last.sides.operator_);
}

static void unpack_verdicts(HieraUnpacker *from, HieraVerdicts *verdicts)
{
    hiera_unpack_bytes(from, verdicts, sizeof *verdicts);
    verdicts->first.sides.operator_ = hiera_unpack_text(from);
    verdicts->worst.sides.operator_ = hiera_unpack_text(from);
    verdicts->last.sides.operator_ = hiera_unpack_text(from);
}

/* --- packing the outcome of the rules of --assert --- */

/* Return how many numbers are packed for each kept execution of a rule. */
static gsize width_of(const HieraRule *rule)
{
    return HIERA_KEPT_VALUES + rule->n_counters;
}

static void pack_outcome(HieraPacker *to, const HieraOutcome *outcome, const HieraRules *rules)
{
    guint n_rules, n_counters;
    const HieraRule *rule = hiera_rules_peek(rules, &n_rules);
    hiera_rules_peek_counters(rules, &n_counters);
    hiera_pack_number(to, outcome->rank);
    hiera_pack_number(to, outcome->size);
    hiera_pack_number(to, outcome->wall_ns);
    hiera_pack_number(to, outcome->wall_unknown);
    hiera_pack_bytes(to, outcome->totals, n_counters * sizeof *outcome->totals);
    hiera_pack_bytes(to, outcome->unknown, n_counters * sizeof *outcome->unknown);
    for (guint i = 0; i < n_rules; i++) {
        const HieraKept *kept = &outcome->kept[i];
        pack_verdicts(to, &outcome->verdicts[i]);
        hiera_pack_number(to, (gint64)kept->n);
        hiera_pack_number(to, kept->unknown);
        hiera_pack_bytes(to, kept->items, kept->n * width_of(&rule[i]) * sizeof *kept->items);
    }
}

static void unpack_kept(HieraUnpacker *from, const HieraRule *rule, HieraKept *kept)
{
    kept->n = (gsize)hiera_unpack_number(from);
    kept->unknown = hiera_unpack_number(from) != 0;
    gsize n = kept->n * width_of(rule);
    gint64 *items = g_new(gint64, n + 1);
    hiera_unpack_bytes(from, items, n * sizeof *items);
    kept->items = items;
}

static void unpack_outcome(HieraUnpacker *from, HieraToldOutcome *told)
{
    HieraOutcome *outcome = &told->outcome;
    outcome->rank = hiera_unpack_number(from);
    outcome->size = hiera_unpack_number(from);
    outcome->wall_ns = hiera_unpack_number(from);
    outcome->wall_unknown = hiera_unpack_number(from) != 0;
    outcome->totals = g_new(gint64, told->n_counters + 1);
    outcome->unknown = g_new(bool, told->n_counters + 1);
    outcome->verdicts = g_new(HieraVerdicts, told->n_rules + 1);
    outcome->kept = g_new0(HieraKept, told->n_rules + 1);
    hiera_unpack_bytes(from, outcome->totals, told->n_counters * sizeof *outcome->totals);
    hiera_unpack_bytes(from, outcome->unknown, told->n_counters * sizeof *outcome->unknown);
    for (guint i = 0; i < told->n_rules; i++) {
        unpack_verdicts(from, &outcome->verdicts[i]);
        unpack_kept(from, &told->rules[i], &outcome->kept[i]);
    }
}

/* --- packing verdicts on assertions in the source --- */

static void pack_source(gpointer to, const HieraSourceAssertion *assertion, const HieraVerdicts *verdicts, gint64 rank)
{
    (void)rank;
    hiera_pack_number(to, 1);
    hiera_pack_text(to, assertion->file);
    hiera_pack_number(to, assertion->line);
    hiera_pack_text(to, assertion->text);
    pack_verdicts(to, verdicts);
}

static void unpack_source(HieraUnpacker *from, GArray *source)
{
    while (hiera_unpack_number(from) != 0) {
        Source one = {.assertion = {.file = hiera_unpack_text(from)}};
        one.assertion.line = (guint)hiera_unpack_number(from);
        one.assertion.text = hiera_unpack_text(from);
        unpack_verdicts(from, &one.verdicts);
        g_array_append_val(source, one);
    }
}

/* --- packing all outcomes of a rank --- */

void hiera_told_outcome_pack(HieraRuleMeter *meter, const HieraRules *rules, const HieraProcessor *processor,
                             HieraPacker *to)
{
    if (rules)
        pack_outcome(to, hiera_rule_meter_finish(meter, processor), rules);
    hiera_pack_number(to, processor->rank);
    hiera_rule_meter_finish_source(meter, processor, pack_source, to);
    hiera_pack_number(to, 0);
}

HieraToldOutcome *hiera_told_outcome_unpack(const HieraRules *rules, HieraUnpacker *from)
{
    HieraToldOutcome *told = g_new0(HieraToldOutcome, 1);
    told->source = g_array_new(FALSE, FALSE, sizeof(Source));
    if (rules) {
        told->rules = hiera_rules_peek(rules, &told->n_rules);
        hiera_rules_peek_counters(rules, &told->n_counters);
        unpack_outcome(from, told);
    }
    told->outcome.rank = hiera_unpack_number(from);
    unpack_source(from, told->source);
    return told;
}

void hiera_told_outcome_free(HieraToldOutcome *told)
{
    for (guint i = 0; i < told->n_rules; i++)
        g_free((gpointer)told->outcome.kept[i].items);
    g_free(told->outcome.kept);
    g_free(told->outcome.verdicts);
    g_free(told->outcome.totals);
    g_free(told->outcome.unknown);
    g_array_unref(told->source);
    g_free(told);
}

const HieraOutcome *hiera_told_outcome_peek(const HieraToldOutcome *told)
{
    return told->rules ? &told->outcome : NULL;
}

void hiera_told_outcome_add_source(const HieraToldOutcome *told, HieraSourceRows *rows)
{
    for (guint i = 0; i < told->source->len; i++) {
        const Source *source = &g_array_index(told->source, Source, i);
        hiera_source_rows_add(rows, &source->assertion, &source->verdicts, told->outcome.rank);
    }
}
