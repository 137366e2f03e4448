/* Fuzz driver: any text → rules of assertions, or their values; each rule is evaluated. */
#include "assertions/meter/meter.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

static void evaluate(const HieraRules *rules, const HieraRule *rule)
{
    static const int64_t extremes[] = {0, 1, INT64_MAX, INT64_MIN};
    int64_t *values = malloc((rule->n_counters + 1) * sizeof *values);
    bool *unknown = calloc(rule->n_counters + 1, sizeof *unknown);
    for (unsigned turn = 0; turn < 4; turn++) {
        HieraSides sides;
        for (unsigned i = 0; i < rule->n_counters; i++)
            values[i] = extremes[(i + turn) % 4];
        const HieraEvaluation evaluation = {.wall_ns = extremes[turn],
                                            .values = values,
                                            .unknown = turn == 3 ? unknown : NULL,
                                            .wall_unknown = turn == 1,
                                            .processes = turn};
        HieraVerdict verdict = hiera_rule_evaluate(rules, rule, &evaluation, &sides);
        HieraVerdicts verdicts = {0};
        HieraTurn limit;
        hiera_rule_find_turn(rules, rule, &evaluation, &limit);
        hiera_verdicts_add(&verdicts, verdict, (HieraInstance){.start_ns = extremes[turn], .sides = sides});
        if (hiera_verdicts_count(&verdicts) != 1)
            abort();
    }
    free(values);
    free(unknown);
}

static void count_told(void *n, const HieraVerdicts *verdicts, int64_t rank)
{
    if (rank < -1 || rank > 2 || hiera_verdicts_count(verdicts) == 0)
        abort();
    *(uint64_t *)n += hiera_verdicts_count(verdicts);
}

/* Three ranks: one with an execution, one with two, one with none of which anything is known. */
static void compare_ranks(const HieraRules *rules, unsigned number, const HieraRule *rule)
{
    uint64_t told = 0;
    unsigned n_rules, n_counters;
    hiera_rules_peek(rules, &n_rules);
    hiera_rules_peek_counters(rules, &n_counters);
    size_t width = HIERA_KEPT_VALUES + rule->n_counters;
    int64_t *items = calloc(2 * width, sizeof *items), *totals = calloc(n_counters + 1, sizeof *totals);
    bool *unknown = calloc(n_counters + 1, sizeof *unknown);
    HieraKept *kept = calloc(3 * n_rules, sizeof *kept);
    HieraOutcome outcomes[3];
    items[width + HIERA_KEPT_START] = INT64_MIN;
    items[width + HIERA_KEPT_WALL] = INT64_MAX;
    for (unsigned i = 0; i < 3; i++) {
        outcomes[i] = (HieraOutcome){
            .rank = i, .size = 3, .kept = kept + i * n_rules, .totals = totals, .unknown = unknown, .wall_ns = i};
        kept[i * n_rules + number] = (HieraKept){items, i < 2 ? i + 1 : 0, i == 2};
    }
    const HieraEvaluation whole = {.values = items + HIERA_KEPT_VALUES};
    const HieraComparedRanks ranks = {outcomes, 3, true, &whole};
    if (!hiera_rule_judge_ranks(rules, number, &ranks, count_told, &told) || told == 0)
        abort();
    free(items);
    free(totals);
    free(unknown);
    free(kept);
}

static void answer_every_second(HieraRules *rules)
{
    unsigned n = 0;
    double value;
    const HieraEvaluation nothing = {.nothing_known = true};
    const HieraOutside *outside = rules ? hiera_rules_peek_outside(rules, &n) : NULL;
    for (unsigned i = 0; i < n; i += 2) {
        if (!outside[i].measure)
            hiera_rules_ask_baseline(rules, i, &nothing, &value);
        hiera_rules_answer(rules, i, i % 4 ? 1e300 : 5);
    }
}

static void check_rules(const char *text, size_t size, const HieraRuleValues *values)
{
    char report[HIERA_RULES_REPORT];
    unsigned n;
    HieraRules *rules = hiera_rules_parse("rules.txt", text, size, values, report);
    if (!rules && !report[0])
        abort();
    const HieraRule *all = rules ? hiera_rules_peek(rules, &n) : NULL;
    answer_every_second(rules);
    for (unsigned i = 0; all && i < n; i++) {
        evaluate(rules, &all[i]);
        if (all[i].n_reductions > 0)
            compare_ranks(rules, i, &all[i]);
        if (!all[i].text || strchr(all[i].text, '\n'))
            abort();
    }
    hiera_rules_free(rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char report[HIERA_RULES_REPORT];
    if (size > HIERA_EXPRESSION_LONGEST)
        return 0;
    /* A block of its own: the sanitizer sees a byte behind it that is read. */
    char *text = malloc(size ? size : 1);
    memcpy(text, data, size);
    HieraRuleValues *values = hiera_rule_values_parse("values", text, size, report);
    check_rules(text, size, values);
    hiera_rule_values_free(values);
    free(text);
    return 0;
}
