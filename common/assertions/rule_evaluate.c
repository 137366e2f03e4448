/* Evaluates a rule, and computes how far its comparison is from holding. */
#include "rules.h"
#include <math.h>
#include <string.h>

static double as_number(HieraValue value)
{
    return value.type == HIERA_VALUE_NUMBER ? value.number : (double)value.integer;
}

/* By how much the left side is on the wrong side of the operator, as a fraction of the right side. */
static double deviation(const char *operator_, double left, double right)
{
    double off = fabs(left - right);
    if (operator_[0] == '<' || operator_[0] == '>')
        off = operator_[0] == '<' ? left - right : right - left;
    return off == 0 ? 0 : off / fabs(right);
}

static bool is_numeric(HieraValue value)
{
    return value.type == HIERA_VALUE_NUMBER || value.type == HIERA_VALUE_INTEGER;
}

/* Evaluate a rule. @param limit  value of each `${NAME}` that has no value; NULL: NaN */
static HieraVerdict evaluate(const HieraRules *rules, const HieraRule *rule, const HieraEvaluation *evaluation,
                             const double *limit, HieraSides *sides)
{
    HieraRuleContext context = {rules, rule, evaluation, false, limit};
    HieraExpressionSides explained;
    bool holds = hiera_expression_explain(rule->expression, &context, &explained);
    *sides = (HieraSides){0};
    if (explained.operator_ && is_numeric(explained.left) && is_numeric(explained.right)) {
        double left = as_number(explained.left), right = as_number(explained.right);
        *sides = (HieraSides){explained.operator_, left, right, explained.times,
                              deviation(explained.operator_, left, right)};
    }
    if (context.is_unknown)
        return HIERA_VERDICT_UNKNOWN;
    return holds ? HIERA_VERDICT_OK : HIERA_VERDICT_FAILED;
}

HieraVerdict hiera_rule_evaluate(const HieraRules *rules, const HieraRule *rule, const HieraEvaluation *evaluation,
                                 HieraSides *sides)
{
    if (rules->watch.see)
        rules->watch.see(rules->watch.user, rule, evaluation);
    return evaluate(rules, rule, evaluation, NULL, sides);
}

/* Compute left side minus right side of the rule's comparison, with `limit` as the value of `${NAME}`. */
static bool try_limit(const HieraRules *rules, const HieraRule *rule, const HieraEvaluation *evaluation, double limit,
                      double *difference, char operator_[3])
{
    HieraSides sides;
    bool known = evaluate(rules, rule, evaluation, &limit, &sides) != HIERA_VERDICT_UNKNOWN;
    if (!known || !sides.operator_)
        return false;
    strcpy(operator_, sides.operator_);
    *difference = sides.left - sides.right;
    return isfinite(*difference);
}

bool hiera_rule_find_turn(const HieraRules *rules, const HieraRule *rule, const HieraEvaluation *evaluation,
                          HieraTurn *turn)
{
    /* Trial values of `${NAME}`: no integer counter equals one of them, and all are exact in binary. */
    static const double limits[3] = {0.375, 1.375, 2.375};
    double at[3];
    char operators[3][3];
    if (rule->n_limits != 1)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        if (!try_limit(rules, rule, evaluation, limits[i], &at[i], operators[i]))
            return false;
    }
    double slope = at[1] - at[0], bend = at[2] - at[1] - slope;
    bool same = strcmp(operators[0], operators[1]) == 0 && strcmp(operators[0], operators[2]) == 0;
    if (!same || slope == 0 || fabs(bend) > 1e-9 * fmax(fabs(at[0]), fabs(at[2])) || operators[0][0] == '!')
        return false;
    bool less = operators[0][0] == '<', equal = operators[0][0] == '=';
    turn->at = limits[0] - at[0] / slope;
    turn->strict = !equal && !operators[0][1];
    turn->side = equal ? HIERA_TURN_EXACTLY : less == (slope < 0) ? HIERA_TURN_AT_LEAST : HIERA_TURN_AT_MOST;
    return true;
}
