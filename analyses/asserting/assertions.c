/* Whether the rules of --assert hold: docs/assertions.md. Each rank judges its executions while its trace is read
 * (rule_meter.h); here the verdicts of all ranks become rows, and rules about the job are judged. */
#include "asserting/rule_meter.h"
#include "measures.h"
#include <math.h>

/* What became of a rule. */
typedef struct {
    HieraVerdicts verdicts;
    guint32 n_ranks, n_good; /* ranks that have an execution; on which all hold */
    GString *failed;         /* ranks on which it failed, in the notation of ranks */
    gint64 first, last;      /* the ranks that are to be appended there; last < first: none */
} Row;

typedef struct {
    const HieraScope *scope;
    const HieraRule *rules;
    guint n_rules, n_counters;
    Row *rows;
    gint64 *totals;                   /* by counter, of all ranks */
    gboolean *unknown;                /* likewise */
    gint64 wall_ns, longest_ns, size; /* of all ranks together, and of the longest one */
    gboolean wall_unknown;
    guint n_ranks;
} All;

static gpointer open_all(const HieraScope *scope)
{
    All *all = g_new0(All, 1);
    all->scope = scope;
    all->rules = hiera_rules_peek(scope->rules, &all->n_rules);
    hiera_rules_peek_counters(scope->rules, &all->n_counters);
    all->rows = g_new0(Row, all->n_rules);
    for (guint i = 0; i < all->n_rules; i++) {
        all->rows[i].failed = g_string_new(NULL);
        all->rows[i].last = -1;
    }
    all->totals = g_new0(gint64, all->n_counters);
    all->unknown = g_new0(gboolean, all->n_counters);
    return all;
}

static void free_all(All *all)
{
    for (guint i = 0; i < all->n_rules; i++)
        g_string_free(all->rows[i].failed, TRUE);
    g_free(all->rows);
    g_free(all->totals);
    g_free(all->unknown);
    g_free(all);
}

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    return hiera_rule_meter_new(scope, processor);
}

static void operation(gpointer meter, const HieraOperation *operation)
{
    hiera_rule_meter_add(meter, operation);
}

static void filtered(gpointer meter, const HieraFiltered *filtered)
{
    hiera_rule_meter_add_filtered(meter, filtered);
}

/* --- ranks become one --- */

static void flush_failed(Row *row)
{
    if (row->last >= row->first)
        hiera_ranks_append_range(row->failed, row->first, row->last);
    row->last = -1;
    row->first = 0;
}

/* Ranks come in rising order. */
static void add_failed(Row *row, gint64 rank)
{
    if (row->last < row->first || rank != row->last + 1) {
        flush_failed(row);
        row->first = rank;
    }
    row->last = rank;
}

static void add_rank(Row *row, const HieraVerdicts *verdicts, gint64 rank)
{
    guint64 n = hiera_verdicts_count(verdicts);
    row->n_ranks += n > 0;
    row->n_good += n > 0 && verdicts->n[HIERA_VERDICT_OK] == n;
    if (verdicts->n[HIERA_VERDICT_FAILED] > 0)
        add_failed(row, rank);
    hiera_verdicts_merge(&row->verdicts, verdicts);
}

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
}

static void merge(gpointer data, gpointer meter, const HieraProcessor *processor, gboolean keep)
{
    All *all = data;
    const HieraOutcome *outcome = keep ? hiera_rule_meter_finish(meter, processor) : NULL;
    for (guint i = 0; outcome && i < all->n_rules; i++)
        add_rank(&all->rows[i], &outcome->verdicts[i], outcome->rank);
    if (outcome && hiera_scope_accepts_rank(all->scope, outcome->rank))
        add_totals(all, outcome);
    hiera_rule_meter_free(meter);
}

/* A rule about the job: sums over all ranks. Without one of them nobody knows these. */
static void judge_job(All *all, guint number)
{
    const HieraRule *rule = &all->rules[number];
    g_autofree gint64 *values = g_new(gint64, rule->n_counters + 1);
    g_autofree bool *unknown = g_new(bool, rule->n_counters + 1);
    gboolean incomplete = !all->scope->ranks && all->size > all->n_ranks;
    for (guint i = 0; i < rule->n_counters; i++) {
        values[i] = all->totals[rule->counters[i]];
        unknown[i] = incomplete || all->unknown[rule->counters[i]];
    }
    const HieraEvaluation evaluation = {.wall_ns = all->wall_ns,
                                        .values = values,
                                        .unknown = unknown,
                                        .wall_unknown = incomplete || all->wall_unknown,
                                        .processes = all->size};
    HieraInstance instance = {.rank = -1, .wall_ns = all->longest_ns};
    HieraVerdict verdict = hiera_rule_evaluate(all->scope->rules, rule, &evaluation, &instance.sides);
    hiera_verdicts_add(&all->rows[number].verdicts, verdict, instance);
}

/* --- rows --- */

static const HieraColumn columns[] = {
    {"rule", HIERA_CELL_TEXT, HIERA_ROLE_KEY},          {"verdict", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"ok", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},         {"failed", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
    {"unknown", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},
    {"ranks", HIERA_CELL_TEXT, HIERA_ROLE_KEY},         {"left", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
    {"right", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},      {"deviation", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
    {"worst-rank", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL}, {"worst-start", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
    {"first-rank", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL}, {"first-start", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},    {"assertion", HIERA_CELL_SENTENCE, HIERA_ROLE_KEY},
    {"why", HIERA_CELL_SENTENCE, HIERA_ROLE_TELLING},
};

static const char *verdict_of(const HieraRule *rule, const Row *row)
{
    const guint64 *n = row->verdicts.n;
    if (hiera_verdicts_count(&row->verdicts) == 0)
        return "never";
    if (rule->some && row->n_good > 0)
        return "ok";
    if (n[HIERA_VERDICT_FAILED] > 0 && !(rule->some && n[HIERA_VERDICT_UNKNOWN] > 0))
        return "failed";
    return n[HIERA_VERDICT_UNKNOWN] > 0 ? "unknown" : "ok";
}

static void format_number(char *text, double number)
{
    g_ascii_formatd(text, G_ASCII_DTOSTR_BUF_SIZE, fabs(number) < 1e15 && number == floor(number) ? "%.0f" : "%.6g",
                    number);
}

static const char *keep_number(HieraTable *table, double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    format_number(text, number);
    return hiera_table_keep(table, text);
}

static void format_start(char *text, const HieraInstance *instance)
{
    g_snprintf(text, HIERA_NUMBER_BYTES, "%" G_GINT64_FORMAT ".%09d", instance->start_ns / 1000000000,
               (int)(ABS(instance->start_ns) % 1000000000));
}

static const char *keep_start(HieraTable *table, const HieraInstance *instance)
{
    char text[HIERA_NUMBER_BYTES];
    format_start(text, instance);
    return hiera_table_keep(table, text);
}

static const char *keep_rank(HieraTable *table, const HieraInstance *instance)
{
    char text[HIERA_NUMBER_BYTES];
    g_snprintf(text, sizeof text, "%" G_GINT64_FORMAT, instance->rank);
    return hiera_table_keep(table, text);
}

/* "on rank 3 at 0.031000000 s" */
static void append_place(GString *why, const HieraRule *rule, const HieraInstance *instance)
{
    char start[HIERA_NUMBER_BYTES];
    format_start(start, instance);
    if (rule->scope != HIERA_RULE_JOB)
        g_string_append_printf(why, " on rank %" G_GINT64_FORMAT, instance->rank);
    if (rule->scope == HIERA_RULE_EXECUTION)
        g_string_append_printf(why, " at %s s", start);
}

/* "31 < 20, off by 55 %" */
static void append_sides(GString *why, const HieraSides *sides)
{
    char left[G_ASCII_DTOSTR_BUF_SIZE], right[G_ASCII_DTOSTR_BUF_SIZE], percent[G_ASCII_DTOSTR_BUF_SIZE];
    format_number(left, sides->left);
    format_number(right, sides->right);
    g_string_append_printf(why, ": %s %s %s", left, sides->operator_, right);
    g_ascii_formatd(percent, sizeof percent, "%.1f", sides->deviation * 100);
    if (isnan(sides->left) || isnan(sides->right))
        g_string_append(why, ", where nan is a value that is missing in the file of HIERA_VALUES, or 0 / 0");
    if (sides->deviation > 0 && isfinite(sides->deviation))
        g_string_append_printf(why, ", off by %s %%", percent);
}

static char *explain(const HieraRule *rule, const Row *row)
{
    const HieraVerdicts *verdicts = &row->verdicts;
    const HieraInstance *first = &verdicts->first, *worst = &verdicts->worst;
    GString *why = g_string_new(NULL);
    if (hiera_verdicts_count(verdicts) == 0)
        g_string_append(why, "nothing that it is about was executed");
    if (verdicts->n[HIERA_VERDICT_FAILED] > 0) {
        g_string_append(why, verdicts->n[HIERA_VERDICT_FAILED] > 1 ? "worst" : "failed");
        append_place(why, rule, worst);
        if (worst->sides.operator_)
            append_sides(why, &worst->sides);
    }
    if (first->start_ns != worst->start_ns || first->rank != worst->rank) {
        g_string_append(why, "; first");
        append_place(why, rule, first);
    }
    if (verdicts->n[HIERA_VERDICT_UNKNOWN] > 0)
        g_string_append_printf(why,
                               "%sunknown where calls that it counts were filtered, paused or lost, or have no end",
                               why->len > 0 ? "; " : "");
    return g_string_free(why, FALSE);
}

static void add_row(const HieraRule *rule, Row *row, HieraTable *table)
{
    const HieraVerdicts *verdicts = &row->verdicts;
    const HieraInstance *first = &verdicts->first, *worst = &verdicts->worst;
    gboolean failed = first->number > 0, placed = failed && rule->scope == HIERA_RULE_EXECUTION;
    gboolean explained = failed && worst->sides.operator_, ranked = failed && rule->scope != HIERA_RULE_JOB;
    gint64 n = (gint64)hiera_verdicts_count(verdicts), ok = (gint64)verdicts->n[HIERA_VERDICT_OK];
    g_autofree char *place = g_strdup_printf("%s:%u", rule->source, rule->line);
    g_autofree char *why = explain(rule, row);
    flush_failed(row);
    hiera_table_add(table, (HieraCell[]){{.text = hiera_table_keep(table, place)},
                                         {.text = verdict_of(rule, row)},
                                         {.number = ok},
                                         {.number = (gint64)verdicts->n[HIERA_VERDICT_FAILED]},
                                         {.number = (gint64)verdicts->n[HIERA_VERDICT_UNKNOWN]},
                                         {.number = n > 0 ? ok * 10000 / n : 0},
                                         {.text = hiera_table_keep(table, row->failed->str)},
                                         {.text = explained ? keep_number(table, worst->sides.left) : ""},
                                         {.text = explained ? keep_number(table, worst->sides.right) : ""},
                                         {.text = explained ? keep_number(table, worst->sides.deviation) : ""},
                                         {.text = ranked ? keep_rank(table, worst) : ""},
                                         {.text = placed ? keep_start(table, worst) : ""},
                                         {.text = ranked ? keep_rank(table, first) : ""},
                                         {.text = placed ? keep_start(table, first) : ""},
                                         {.number = verdicts->lasted_ns},
                                         {.text = hiera_table_keep(table, rule->text)},
                                         {.text = hiera_table_keep(table, why)}});
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    All *all = data;
    for (guint i = 0; table && i < all->n_rules; i++) {
        if (all->rules[i].scope == HIERA_RULE_JOB && all->n_ranks > 0)
            judge_job(all, i);
        add_row(&all->rules[i], &all->rows[i], table);
    }
    free_all(all);
}

const HieraMeasure hiera_measure_assertions = {
    .name = "assertions",
    .help = "whether the rules of --assert hold, and by how much not",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_JOB,
    .ordered = TRUE,
    .whole = TRUE,
    .asserts = TRUE,
    .begin = begin,
    .operation = operation,
    .filtered = filtered,
    .open = open_all,
    .merge = merge,
    .close = close_all,
};
