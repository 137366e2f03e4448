/* One evaluation of a rule, and by how much it was missed. */
#include "rules.h"
#include <math.h>

static double as_number(HieraValue value)
{
    return value.type == HIERA_VALUE_NUMBER ? value.number : (double)value.integer;
}

/* By which part of the right side the left one is on the wrong side of it. */
static double deviation(const char *operator_, double left, double right)
{
    double off = operator_[0] == '<' ? left - right : operator_[0] == '>' ? right - left : fabs(left - right);
    return off == 0 ? 0 : off / fabs(right);
}

static bool is_numeric(HieraValue value)
{
    return value.type == HIERA_VALUE_NUMBER || value.type == HIERA_VALUE_INTEGER;
}

HieraVerdict hiera_rule_evaluate(const HieraRules *rules, const HieraRule *rule, const HieraEvaluation *evaluation,
                                 HieraSides *sides)
{
    HieraRuleContext context = {rules, rule, evaluation, false};
    HieraExpressionSides told;
    bool holds = hiera_expression_explain(rule->expression, &context, &told);
    *sides = (HieraSides){0};
    if (told.operator_ && is_numeric(told.left) && is_numeric(told.right)) {
        double left = as_number(told.left), right = as_number(told.right);
        *sides = (HieraSides){told.operator_, left, right, told.times, deviation(told.operator_, left, right)};
    }
    return context.is_unknown ? HIERA_VERDICT_UNKNOWN : holds ? HIERA_VERDICT_OK : HIERA_VERDICT_FAILED;
}
