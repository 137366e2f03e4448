/* Rules over ranks: `region "step": max(WallTime) < 1.2 * mean(WallTime)`. See meter.h.
 *
 * Input are the totals or executions of each rank. First all reductions of the rule over ranks are computed; then the
 * rule is evaluated with the results: once, or for each rank if it also uses values of a single rank. */
#include "assertions/rules.h"
#include "meter.h"
#include <math.h>
#include <stdlib.h>

/* The contribution of one rank to an evaluation. */
typedef struct {
    size_t outcome; /* index of the rank in `outcomes` */
    int64_t start_ns;
    uint64_t row;
    HieraEvaluation evaluation;
} Part;

typedef struct {
    const HieraRules *rules;
    const HieraRule *rule;
    const HieraComparedRanks *ranks;
    size_t number;
    Part *parts; /* n_parts contributions; capacity: one for each rank */
    size_t n_parts;
    int64_t *values; /* buffer for values of the rule's counters, by rank, then by counter */
    bool *unknown;
    HieraVerdicts *verdicts; /* one for each rank, and a last one for verdicts that belong to no rank */
    HieraReduced reduced[HIERA_MOST_REDUCTIONS];
} Judge;

/* --- contributions of ranks --- */

static void hand_in(Judge *judge, size_t outcome, int64_t start_ns, uint64_t row, HieraEvaluation evaluation)
{
    evaluation.processes = judge->ranks->outcomes[outcome].size;
    judge->parts[judge->n_parts++] = (Part){outcome, start_ns, row, evaluation};
}

/* Add the totals of a rank's whole run as its contribution. */
static void hand_in_run(Judge *judge, size_t number)
{
    const HieraRule *rule = judge->rule;
    const HieraOutcome *outcome = &judge->ranks->outcomes[number];
    int64_t *values = judge->values + number * rule->n_counters;
    bool *unknown = judge->unknown + number * rule->n_counters;
    for (unsigned i = 0; i < rule->n_counters; i++) {
        values[i] = outcome->totals[rule->counters[i]];
        unknown[i] = outcome->unknown[rule->counters[i]];
    }
    hand_in(
        judge, number, 0, 0,
        (HieraEvaluation){
            .wall_ns = outcome->wall_ns, .values = values, .unknown = unknown, .wall_unknown = outcome->wall_unknown});
}

/* Add the k-th execution of a rank, or the sum of all. If the rank has fewer executions than others, its values are
 * unknown. */
static void hand_in_kept(Judge *judge, size_t number, size_t k)
{
    const HieraKept *kept = &judge->ranks->outcomes[number].kept[judge->number];
    if (kept->n == 0 && !kept->unknown)
        return;
    if (k >= kept->n) {
        hand_in(judge, number, INT64_MAX, 0, (HieraEvaluation){.nothing_known = true});
        return;
    }
    const int64_t *item = kept->items + k * (HIERA_KEPT_VALUES + judge->rule->n_counters);
    bool has_end = item[HIERA_KEPT_WALL] != HIERA_METER_NO_TIME;
    hand_in(judge, number, item[HIERA_KEPT_START], (uint64_t)item[HIERA_KEPT_ROW],
            (HieraEvaluation){.wall_ns = has_end ? item[HIERA_KEPT_WALL] : 0,
                              .values = item + HIERA_KEPT_VALUES,
                              .nothing_known = kept->unknown || !has_end});
}

static void hand_in_all(Judge *judge, size_t k)
{
    judge->n_parts = 0;
    for (size_t i = 0; i < judge->ranks->n; i++) {
        if (judge->rule->scope == HIERA_RULE_EXECUTION)
            hand_in_kept(judge, i, k);
        else
            hand_in_run(judge, i);
    }
}

/* --- reductions over ranks --- */

/* Evaluate an expression for one rank. @return  whether the result is known */
static bool ask(const Judge *judge, const Part *part, const HieraExpression *expression, double *number)
{
    HieraRuleContext context = {.rules = judge->rules, .rule = judge->rule, .evaluation = &part->evaluation};
    HieraValue value = hiera_expression_evaluate(expression, &context);
    *number = value.type == HIERA_VALUE_NUMBER ? value.number : NAN;
    return !context.is_unknown;
}

/* Compute a reduction over all contributions. If a value is NaN, the result is NaN. */
static HieraReduced reduce(const Judge *judge, const HieraReduction *reduction)
{
    bool is_sum = reduction->reducer == HIERA_REDUCER_SUM || reduction->reducer == HIERA_REDUCER_MEAN;
    HieraReduced reduced = {.unknown = !judge->ranks->complete};
    double number;
    for (size_t i = 0; i < judge->n_parts; i++) {
        reduced.unknown = !ask(judge, &judge->parts[i], reduction->expression, &number) || reduced.unknown;
        bool wins = reduction->reducer == HIERA_REDUCER_MIN ? number < reduced.value : number > reduced.value;
        if (is_sum) {
            reduced.value += number;
        } else if (i == 0 || isnan(number) || (wins && !isnan(reduced.value))) {
            reduced.value = number;
            reduced.of = i;
        }
    }
    if (reduction->reducer == HIERA_REDUCER_MEAN)
        reduced.value /= (double)judge->n_parts;
    return reduced;
}

static void reduce_all(Judge *judge)
{
    for (unsigned i = 0; i < judge->rule->n_reductions; i++)
        judge->reduced[i] = reduce(judge, &judge->rules->reductions[judge->rule->first_reduction + i]);
}

/* --- evaluations of a rule over ranks --- */

static void add(Judge *judge, const Part *part, const HieraEvaluation *evaluation)
{
    HieraInstance instance = {.rank = -1};
    if (part) {
        instance.rank = judge->ranks->outcomes[part->outcome].rank;
        instance.start_ns = part->start_ns == INT64_MAX ? 0 : part->start_ns;
        instance.row = part->row;
    }
    HieraVerdict verdict = hiera_rule_evaluate(judge->rules, judge->rule, evaluation, &instance.sides);
    hiera_verdicts_add(&judge->verdicts[part ? part->outcome : judge->ranks->n], verdict, instance);
}

/* The rank to which an evaluation over all ranks belongs: the one with the first minimum or maximum. NULL: none. */
static const Part *find_extreme(const Judge *judge)
{
    for (unsigned i = 0; i < judge->rule->n_reductions; i++) {
        HieraReducer reducer = judge->rules->reductions[judge->rule->first_reduction + i].reducer;
        if ((reducer == HIERA_REDUCER_MIN || reducer == HIERA_REDUCER_MAX) && !judge->reduced[i].unknown)
            return &judge->parts[judge->reduced[i].of];
    }
    return NULL;
}

static void evaluate(Judge *judge)
{
    if (judge->n_parts == 0)
        return;
    reduce_all(judge);
    HieraEvaluation all = {.nothing_known = true, .processes = judge->parts[0].evaluation.processes};
    if (judge->ranks->whole)
        all = *judge->ranks->whole;
    all.reduced = judge->reduced;
    if (!judge->rule->own) {
        add(judge, find_extreme(judge), &all);
        return;
    }
    for (size_t i = 0; i < judge->n_parts; i++) {
        HieraEvaluation evaluation = judge->parts[i].evaluation;
        evaluation.reduced = judge->reduced;
        add(judge, &judge->parts[i], &evaluation);
    }
}

/* Number of evaluations: one for the k-th executions of all ranks, k = 0, 1, …; 1 without `on each execution`. */
static size_t count_rounds(const Judge *judge)
{
    size_t n = 1;
    for (size_t i = 0; judge->rule->each && i < judge->ranks->n; i++) {
        size_t kept = judge->ranks->outcomes[i].kept[judge->number].n;
        n = kept > n ? kept : n;
    }
    return n;
}

/* Total duration of the rank's executions, or of its run. */
static int64_t time_of(const Judge *judge, size_t number)
{
    const HieraOutcome *outcome = &judge->ranks->outcomes[number];
    if (judge->rule->scope != HIERA_RULE_EXECUTION)
        return outcome->wall_unknown ? 0 : outcome->wall_ns;
    int64_t sum = 0;
    const HieraKept *kept = &outcome->kept[judge->number];
    for (size_t k = 0; k < kept->n; k++) {
        int64_t wall = kept->items[k * (HIERA_KEPT_VALUES + judge->rule->n_counters) + HIERA_KEPT_WALL];
        if (wall > 0 && __builtin_add_overflow(sum, wall, &sum))
            sum = INT64_MAX;
    }
    return sum;
}

static void tell_all(const Judge *judge, void (*tell)(void *user, const HieraVerdicts *verdicts, int64_t rank),
                     void *user)
{
    size_t n = judge->ranks->n;
    int64_t longest = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t time = time_of(judge, i);
        longest = time > longest ? time : longest;
    }
    for (size_t i = 0; i <= n; i++) {
        HieraVerdicts *verdicts = &judge->verdicts[(n + i) % (n + 1)];
        verdicts->lasted_ns = longest;
        if (hiera_verdicts_count(verdicts) > 0)
            tell(user, verdicts, i == 0 ? -1 : judge->ranks->outcomes[i - 1].rank);
    }
}

bool hiera_rule_judge_ranks(const HieraRules *rules, size_t number, const HieraComparedRanks *ranks,
                            void (*tell)(void *user, const HieraVerdicts *verdicts, int64_t rank), void *user)
{
    Judge judge = {.rules = rules, .rule = &rules->rules[number], .ranks = ranks, .number = number};
    size_t n_values = ranks->n * judge.rule->n_counters + 1;
    judge.parts = calloc(ranks->n + 1, sizeof *judge.parts);
    judge.values = calloc(n_values, sizeof *judge.values);
    judge.unknown = calloc(n_values, sizeof *judge.unknown);
    judge.verdicts = calloc(ranks->n + 1, sizeof *judge.verdicts);
    bool has_memory = judge.parts && judge.values && judge.unknown && judge.verdicts;
    for (size_t k = 0; has_memory && k < count_rounds(&judge); k++) {
        hand_in_all(&judge, k);
        evaluate(&judge);
    }
    if (has_memory)
        tell_all(&judge, tell, user);
    free(judge.parts);
    free(judge.values);
    free(judge.unknown);
    free(judge.verdicts);
    return has_memory;
}
