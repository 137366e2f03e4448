#include "rule_rows.h"
#include <math.h>
#include <string.h>

void hiera_rule_row_init(HieraRuleRow *row, gboolean by_rank)
{
    *row = (HieraRuleRow){.failed = g_string_new(NULL), .last = -1};
    if (by_rank)
        row->ranks = g_array_new(FALSE, FALSE, sizeof(HieraRankVerdicts));
}

void hiera_rule_row_clear(HieraRuleRow *row)
{
    g_string_free(row->failed, TRUE);
    g_clear_pointer(&row->ranks, g_array_unref);
}

/* --- ranks on which the rule failed --- */

static void flush_failed(HieraRuleRow *row)
{
    if (row->last >= row->first)
        hiera_ranks_append_range(row->failed, row->first, row->last);
    row->last = -1;
    row->first = 0;
}

/* Add a rank to `failed`, the list of ranks on which the rule failed. Ranks come in ascending order. */
static void add_failed(HieraRuleRow *row, gint64 rank)
{
    if (row->last < row->first || rank != row->last + 1) {
        flush_failed(row);
        row->first = rank;
    }
    row->last = rank;
}

void hiera_rule_row_add(HieraRuleRow *row, const HieraVerdicts *verdicts, gint64 rank)
{
    guint64 n = hiera_verdicts_count(verdicts);
    row->n_ranks += n > 0;
    row->n_good += n > 0 && verdicts->n[HIERA_VERDICT_OK] == n;
    if (verdicts->n[HIERA_VERDICT_FAILED] > 0 && rank >= 0)
        add_failed(row, rank);
    hiera_verdicts_merge(&row->verdicts, verdicts);
    if (row->ranks && n > 0 && rank >= 0) {
        const HieraRankVerdicts of_rank = {rank, *verdicts};
        g_array_append_val(row->ranks, of_rank);
    }
}

/* --- cells of a row --- */

#define COLUMNS                                                                                                        \
    {"verdict", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"ok", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},                          \
        {"failed", HIERA_CELL_INTEGER, HIERA_ROLE_SUM}, {"unknown", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},               \
        {"share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM}, {"ranks", HIERA_CELL_TEXT, HIERA_ROLE_KEY},                     \
        {"left", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL}, {"right", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},                   \
        {"deviation", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL}, {"worst-rank", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},         \
        {"worst-start", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL}, {"first-rank", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},       \
        {"first-start", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL}, {"time", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},          \
        {"assertion", HIERA_CELL_SENTENCE, HIERA_ROLE_KEY},                                                            \
    {                                                                                                                  \
        "why", HIERA_CELL_SENTENCE, HIERA_ROLE_TELLING                                                                 \
    }
const HieraColumn hiera_rule_columns[HIERA_RULE_COLUMNS] = {{"rule", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, COLUMNS};
const HieraColumn hiera_rule_rank_columns[HIERA_RULE_COLUMNS + 1] = {
    {"rule", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"rank", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, COLUMNS};

static const char *verdict_of(const HieraRule *rule, const HieraRuleRow *row)
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
    if (isnan(number))
        number = fabs(number); /* no "-nan": the sign of NaN has no meaning */
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
    if (instance->rank < 0)
        return "";
    g_snprintf(text, sizeof text, "%" G_GINT64_FORMAT, instance->rank);
    return hiera_table_keep(table, text);
}

/* Whether an evaluation is about one execution on one rank, so that it has a start to be shown. */
static gboolean has_place(const HieraRule *rule)
{
    return rule->scope == HIERA_RULE_EXECUTION && (rule->each || rule->n_reductions == 0);
}

/* Append where a rule was evaluated: "on rank 3, thread 1, at 0.031000000 s". */
static void append_place(GString *why, const HieraRule *rule, const HieraInstance *instance)
{
    char start[HIERA_NUMBER_BYTES];
    format_start(start, instance);
    if (instance->rank >= 0)
        g_string_append_printf(why, " on rank %" G_GINT64_FORMAT, instance->rank);
    if (instance->rank >= 0 && instance->thread > 0)
        g_string_append_printf(why, ", thread %" G_GINT64_FORMAT ",", instance->thread);
    if (has_place(rule))
        g_string_append_printf(why, " at %s s", start);
}

/* Format one side of a comparison: a time that fits 64 bits gets a unit. */
static void format_side(char *text, double number, gboolean is_time)
{
    if (is_time && fabs(number) >= 1 && fabs(number) < 0x1p62)
        hiera_time_format(text, llround(number));
    else
        format_number(text, number);
}

/* Append both sides of a comparison: "31 ms < 20 ms, off by 55 %". */
static void append_sides(GString *why, const HieraSides *sides, gboolean has_communicators)
{
    char left[G_ASCII_DTOSTR_BUF_SIZE], right[G_ASCII_DTOSTR_BUF_SIZE], percent[G_ASCII_DTOSTR_BUF_SIZE];
    format_side(left, sides->left, sides->times);
    format_side(right, sides->right, sides->times);
    g_string_append_printf(why, ": %s %s %s", left, sides->operator_, right);
    g_ascii_formatd(percent, sizeof percent, "%.1f", sides->deviation * 100);
    if (isnan(sides->left) || isnan(sides->right))
        g_string_append_printf(why, ", where nan is a value that is missing in the file of HIERA_VALUES, %sor 0 / 0",
                               has_communicators ? "a communicator that there is not, " : "");
    if (sides->deviation > 0 && isfinite(sides->deviation))
        g_string_append_printf(why, ", off by %s %%", percent);
}

/* Whether a rule uses measured values, judged by its text: of assertions in the source no more is known. */
static gboolean asks_to_measure(const HieraRule *rule)
{
    gboolean asks = FALSE;
    for (guint i = 0; rule->marked && i < HIERA_N_MEASURED; i++)
        asks = asks || strstr(rule->text, hiera_measured_name((HieraMeasured)i));
    return asks;
}

static char *explain(const HieraRule *rule, const HieraRuleRow *row)
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
            append_sides(why, &worst->sides, rule->marked && strstr(rule->text, "nMPIProcesses"));
    }
    if (first->start_ns != worst->start_ns || first->rank != worst->rank) {
        g_string_append(why, "; first");
        append_place(why, rule, first);
    }
    if (verdicts->n[HIERA_VERDICT_UNKNOWN] > 0)
        g_string_append_printf(
            why, "%sunknown where calls that it counts were filtered, paused or lost, or have no end%s%s%s%s",
            why->len > 0 ? "; " : "", asks_to_measure(rule) ? ", or what it asks for could not be measured" : "",
            rule->asks_outside ? ", or a value that it takes from elsewhere is not known" : "",
            rule->n_reductions > 0 ? ", or a rank is missing" : "",
            rule->each && rule->n_reductions > 0 ? " or has fewer executions" : "");
    return g_string_free(why, FALSE);
}

/* Add a row to a table. @param rank  cell of the column `rank`; NULL if the table has no such column */
static void write_row(HieraRuleRow *row, const HieraRule *rule, const char *rank, HieraTable *table)
{
    const HieraVerdicts *verdicts = &row->verdicts;
    const HieraInstance *first = &verdicts->first, *worst = &verdicts->worst;
    gboolean failed = first->number > 0, placed = failed && has_place(rule);
    gboolean explained = failed && worst->sides.operator_;
    gint64 n = (gint64)hiera_verdicts_count(verdicts), ok = (gint64)verdicts->n[HIERA_VERDICT_OK];
    g_autofree char *place = g_strdup_printf("%s:%u", rule->source, rule->line);
    g_autofree char *why = explain(rule, row);
    flush_failed(row);
    /* The second cell has the rule's place too, because without a column `rank` the row begins with that cell. */
    const HieraCell cells[HIERA_RULE_COLUMNS + 1] = {
        {.text = hiera_table_keep(table, place)},
        {.text = rank ? hiera_table_keep(table, rank) : hiera_table_keep(table, place)},
        {.text = verdict_of(rule, row)},
        {.number = ok},
        {.number = (gint64)verdicts->n[HIERA_VERDICT_FAILED]},
        {.number = (gint64)verdicts->n[HIERA_VERDICT_UNKNOWN]},
        {.number = n > 0 ? ok * 10000 / n : 0},
        {.text = hiera_table_keep(table, row->failed->str)},
        {.text = explained ? keep_number(table, worst->sides.left) : ""},
        {.text = explained ? keep_number(table, worst->sides.right) : ""},
        {.text = explained ? keep_number(table, worst->sides.deviation) : ""},
        {.text = failed ? keep_rank(table, worst) : ""},
        {.text = placed ? keep_start(table, worst) : ""},
        {.text = failed ? keep_rank(table, first) : ""},
        {.text = placed ? keep_start(table, first) : ""},
        {.number = verdicts->lasted_ns},
        {.text = hiera_table_keep(table, rule->text)},
        {.text = hiera_table_keep(table, why)}};
    hiera_table_add(table, rank ? cells : cells + 1);
    if (placed && first->row < HIERA_NONE)
        hiera_table_point(table, (guint32)first->row);
}

static void write_rank(const HieraRankVerdicts *of_rank, const HieraRule *rule, HieraTable *table)
{
    HieraRuleRow row;
    g_autofree char *rank = g_strdup_printf("%" G_GINT64_FORMAT, of_rank->rank);
    hiera_rule_row_init(&row, FALSE);
    hiera_rule_row_add(&row, &of_rank->verdicts, of_rank->rank);
    write_row(&row, rule, rank, table);
    hiera_rule_row_clear(&row);
}

void hiera_rule_row_write(HieraRuleRow *row, const HieraRule *rule, HieraTable *table)
{
    write_row(row, rule, row->ranks ? "" : NULL, table);
    for (guint i = 0; row->ranks && i < row->ranks->len; i++)
        write_rank(&g_array_index(row->ranks, HieraRankVerdicts, i), rule, table);
}
