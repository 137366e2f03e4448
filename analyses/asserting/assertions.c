/* Whether the rules of --assert and the assertions in the source hold: docs/assertions.md. Each rank judges its
 * executions while its trace is read (rule_meter.h); this file makes rows from the verdicts of all ranks, and judges
 * rules about the job. */
#include "kept_outcomes.h"
#include "measures.h"
#include "rank_outcomes.h"
#include "rule_meter.h"
#include "rule_rows.h"
#include "sent_outcome.h"

typedef struct {
    const HieraScope *scope;
    const HieraRule *rules;
    guint n_rules, n_counters;
    HieraRuleRow *rows;
    gint64 *totals;                   /* by counter that the rules use: sum over all ranks */
    gboolean *unknown;                /* by counter: TRUE if `totals` has no valid sum */
    gint64 wall_ns, longest_ns, size; /* sum and maximum of the ranks' run times; number of ranks */
    gboolean wall_unknown;
    guint n_ranks;
    HieraKeptOutcomes *kept; /* outcomes of the ranks in the scope; NULL if there are no rules */
    HieraSourceRows *source; /* results of assertions in the source */
} All;

static gpointer open_by(const HieraScope *scope, gboolean by_rank)
{
    All *all = g_new0(All, 1);
    all->scope = scope;
    all->source = hiera_source_rows_new(by_rank);
    if (!scope->options.rules)
        return all;
    all->rules = hiera_rules_peek(scope->options.rules, &all->n_rules);
    hiera_rules_peek_counters(scope->options.rules, &all->n_counters);
    all->rows = g_new0(HieraRuleRow, all->n_rules);
    for (guint i = 0; i < all->n_rules; i++)
        hiera_rule_row_init(&all->rows[i], by_rank);
    all->totals = g_new0(gint64, all->n_counters);
    all->unknown = g_new0(gboolean, all->n_counters);
    all->kept = hiera_kept_outcomes_new(scope->options.rules);
    hiera_rules_begin(scope->options.rules);
    return all;
}

static gpointer open_all(const HieraScope *scope)
{
    return open_by(scope, FALSE);
}

static gpointer open_by_rank(const HieraScope *scope)
{
    return open_by(scope, TRUE);
}

static void free_all(All *all)
{
    for (guint i = 0; i < all->n_rules; i++)
        hiera_rule_row_clear(&all->rows[i]);
    g_free(all->rows);
    g_free(all->totals);
    g_free(all->unknown);
    if (all->kept)
        hiera_kept_outcomes_free(all->kept);
    hiera_source_rows_free(all->source);
    g_free(all);
}

/* State of one rank: a meter that takes its operations, or the outcome that another process has sent. */
typedef struct {
    HieraRuleMeter *meter;
    HieraSentOutcome *sent;
    const HieraRules *rules;
} Rank;

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    Rank *rank = g_new(Rank, 1);
    *rank = (Rank){hiera_rule_meter_new(scope, processor), NULL, scope->options.rules};
    return rank;
}

static void operation(gpointer rank, const HieraOperation *operation)
{
    hiera_rule_meter_add(((Rank *)rank)->meter, operation);
}

static void asserted(gpointer rank, const HieraAsserted *asserted)
{
    hiera_rule_meter_add_asserted(((Rank *)rank)->meter, asserted);
}

static void filtered(gpointer rank, const HieraFiltered *filtered)
{
    hiera_rule_meter_add_filtered(((Rank *)rank)->meter, filtered);
}

static void pack(gpointer data, const HieraProcessor *processor, HieraPacker *to)
{
    const Rank *rank = data;
    hiera_sent_outcome_pack(rank->meter, rank->rules, processor, to);
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    (void)processor;
    Rank *rank = g_new(Rank, 1);
    *rank = (Rank){NULL, hiera_sent_outcome_unpack(scope->options.rules, from), scope->options.rules};
    return rank;
}

static void free_rank(Rank *rank)
{
    if (rank->meter)
        hiera_rule_meter_free(rank->meter);
    if (rank->sent)
        hiera_sent_outcome_free(rank->sent);
    g_free(rank);
}

/* --- adding up the ranks --- */

static void add_totals(All *all, const HieraOutcome *outcome)
{
    for (guint i = 0; i < all->n_counters; i++) {
        all->totals[i] = hiera_plus(all->totals[i], outcome->totals[i]);
        all->unknown[i] = all->unknown[i] || outcome->unknown[i];
    }
    all->wall_ns = hiera_plus(all->wall_ns, outcome->wall_ns);
    all->longest_ns = MAX(all->longest_ns, outcome->wall_unknown ? 0 : outcome->wall_ns);
    all->wall_unknown = all->wall_unknown || outcome->wall_unknown;
    all->size = MAX(all->size, outcome->size);
    all->n_ranks++;
    hiera_kept_outcomes_add(all->kept, outcome);
}

static void add_outcome(All *all, const HieraOutcome *outcome)
{
    for (guint i = 0; i < all->n_rules; i++)
        hiera_rule_row_add(&all->rows[i], &outcome->verdicts[i], outcome->rank);
    if (hiera_scope_accepts_rank(all->scope, (guint32)outcome->rank))
        add_totals(all, outcome);
}

static void add_source(gpointer rows, const HieraSourceAssertion *assertion, const HieraVerdicts *verdicts, gint64 rank)
{
    hiera_source_rows_add(rows, assertion, verdicts, rank);
}

static void merge(gpointer data, gpointer of_rank, const HieraProcessor *processor, gboolean keep)
{
    All *all = data;
    Rank *rank = of_rank;
    if (keep && all->rules)
        add_outcome(all,
                    rank->sent ? hiera_sent_outcome_peek(rank->sent) : hiera_rule_meter_finish(rank->meter, processor));
    if (keep && rank->sent)
        hiera_sent_outcome_add_source(rank->sent, all->source);
    else if (keep)
        hiera_rule_meter_finish_source(rank->meter, processor, add_source, all->source);
    free_rank(rank);
}

/* Whether a rank of the job is missing, so that totals over all ranks are unknown. */
static gboolean is_incomplete(const All *all)
{
    return !all->scope->ranks && all->size > all->n_ranks;
}

static void tell_rank(gpointer row, const HieraVerdicts *verdicts, gint64 rank)
{
    hiera_rule_row_add(row, verdicts, rank);
}

static void judge_over_ranks(All *all, guint number, const HieraEvaluation *whole)
{
    guint n;
    HieraComparedRanks ranks = {.complete = !is_incomplete(all), .whole = whole};
    ranks.outcomes = hiera_kept_outcomes_peek(all->kept, &n);
    ranks.n = n;
    if (!hiera_rule_judge_ranks(all->scope->options.rules, number, &ranks, tell_rank, &all->rows[number]))
        g_error("no memory for the rules of --assert");
}

/* Judge a rule about the whole job, from the sums over all ranks. */
static void judge_job(All *all, guint number)
{
    const HieraRule *rule = &all->rules[number];
    g_autofree gint64 *values = g_new(gint64, rule->n_counters + 1);
    g_autofree bool *unknown = g_new(bool, rule->n_counters + 1);
    for (guint i = 0; i < rule->n_counters; i++) {
        values[i] = all->totals[rule->counters[i]];
        unknown[i] = all->unknown[rule->counters[i]];
    }
    const HieraEvaluation evaluation = {.wall_ns = all->wall_ns,
                                        .values = values,
                                        .unknown = unknown,
                                        .wall_unknown = all->wall_unknown,
                                        .nothing_known = is_incomplete(all) || all->wall_unknown,
                                        .processes = all->size};
    if (rule->n_reductions > 0) {
        judge_over_ranks(all, number, &evaluation);
        return;
    }
    HieraInstance instance = {.rank = -1, .wall_ns = all->longest_ns};
    HieraVerdict verdict = hiera_rule_evaluate(all->scope->options.rules, rule, &evaluation, &instance.sides);
    hiera_verdicts_add(&all->rows[number].verdicts, verdict, instance);
}

static void judge(All *all, guint number)
{
    const HieraRule *rule = &all->rules[number];
    if (rule->scope == HIERA_RULE_JOB)
        judge_job(all, number);
    else if (rule->n_reductions > 0)
        judge_over_ranks(all, number, NULL);
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    All *all = data;
    for (guint i = 0; table && i < all->n_rules; i++) {
        if (all->n_ranks > 0)
            judge(all, i);
        hiera_rule_row_write(&all->rows[i], &all->rules[i], table);
    }
    if (table)
        hiera_source_rows_write(all->source, table);
    if (table && hiera_table_count(table) == 0)
        hiera_table_limit(
            table, HIERA_FINDING_VALUE,
            "there is no assertion in the source of the program; name a file of rules with --assert FILE");
    free_all(all);
}

void hiera_rank_outcomes_judge(const HieraMeasure *measure, const HieraScope *scope, const HieraOutcome *outcomes,
                               guint n, HieraSourceRows *source, HieraTable *table)
{
    All *all = measure->job->open(scope);
    for (guint i = 0; all->rules && i < n; i++)
        add_outcome(all, &outcomes[i]);
    close_all(all, NULL, table);
    hiera_source_rows_write(source, table);
}

#define OF(columns_, opens)                                                                                            \
    {                                                                                                                  \
        .name = "assertions", .help = "whether rules and assertions in the source hold", .columns = columns_,          \
        .n_columns = G_N_ELEMENTS(columns_), .by = "rule,rank", .forms = forms,                                        \
        .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_WHOLE | HIERA_MEASURE_ASSERTS, .job = &(const HieraJobOps)      \
        {                                                                                                              \
            .read = {.begin = begin,                                                                                   \
                     .operation = operation,                                                                           \
                     .filtered = filtered,                                                                             \
                     .records = {.asserted = asserted},                                                                \
                     .pack = pack,                                                                                     \
                     .unpack = unpack},                                                                                \
            .open = opens, .merge = merge, .close = close_all                                                          \
        }                                                                                                              \
    }

static const HieraMeasure by_rank;
static const HieraMeasure *const forms[] = {&hiera_measure_assertions, &by_rank};
const HieraMeasure hiera_measure_assertions = OF(hiera_rule_columns, open_all);
static const HieraMeasure by_rank = OF(hiera_rule_rank_columns, open_by_rank);
