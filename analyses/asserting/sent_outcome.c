#include "sent_outcome.h"

typedef struct {
    HieraSourceAssertion assertion;
    HieraVerdicts verdicts;
} Source;

struct HieraSentOutcome {
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

static void unpack_outcome(HieraUnpacker *from, HieraSentOutcome *sent)
{
    HieraOutcome *outcome = &sent->outcome;
    outcome->rank = hiera_unpack_number(from);
    outcome->size = hiera_unpack_number(from);
    outcome->wall_ns = hiera_unpack_number(from);
    outcome->wall_unknown = hiera_unpack_number(from) != 0;
    outcome->totals = g_new(gint64, sent->n_counters + 1);
    outcome->unknown = g_new(bool, sent->n_counters + 1);
    outcome->verdicts = g_new(HieraVerdicts, sent->n_rules + 1);
    outcome->kept = g_new0(HieraKept, sent->n_rules + 1);
    hiera_unpack_bytes(from, outcome->totals, sent->n_counters * sizeof *outcome->totals);
    hiera_unpack_bytes(from, outcome->unknown, sent->n_counters * sizeof *outcome->unknown);
    for (guint i = 0; i < sent->n_rules; i++) {
        unpack_verdicts(from, &outcome->verdicts[i]);
        unpack_kept(from, &sent->rules[i], &outcome->kept[i]);
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

void hiera_sent_outcome_pack(HieraRuleMeter *meter, const HieraRules *rules, const HieraProcessor *processor,
                             HieraPacker *to)
{
    if (rules)
        pack_outcome(to, hiera_rule_meter_finish(meter, processor), rules);
    hiera_pack_number(to, processor->rank);
    hiera_rule_meter_finish_source(meter, processor, pack_source, to);
    hiera_pack_number(to, 0);
}

HieraSentOutcome *hiera_sent_outcome_unpack(const HieraRules *rules, HieraUnpacker *from)
{
    HieraSentOutcome *sent = g_new0(HieraSentOutcome, 1);
    sent->source = g_array_new(FALSE, FALSE, sizeof(Source));
    if (rules) {
        sent->rules = hiera_rules_peek(rules, &sent->n_rules);
        hiera_rules_peek_counters(rules, &sent->n_counters);
        unpack_outcome(from, sent);
    }
    sent->outcome.rank = hiera_unpack_number(from);
    unpack_source(from, sent->source);
    return sent;
}

void hiera_sent_outcome_free(HieraSentOutcome *sent)
{
    for (guint i = 0; i < sent->n_rules; i++)
        g_free((gpointer)sent->outcome.kept[i].items);
    g_free(sent->outcome.kept);
    g_free(sent->outcome.verdicts);
    g_free(sent->outcome.totals);
    g_free(sent->outcome.unknown);
    g_array_unref(sent->source);
    g_free(sent);
}

const HieraOutcome *hiera_sent_outcome_peek(const HieraSentOutcome *sent)
{
    return sent->rules ? &sent->outcome : NULL;
}

void hiera_sent_outcome_add_source(const HieraSentOutcome *sent, HieraSourceRows *rows)
{
    for (guint i = 0; i < sent->source->len; i++) {
        const Source *source = &g_array_index(sent->source, Source, i);
        hiera_source_rows_add(rows, &source->assertion, &source->verdicts, sent->outcome.rank);
    }
}
