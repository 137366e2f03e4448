/* Adds up the verdicts of a rule, in memory that does not grow with the number of verdicts. */
#include "assertions.h"

/* Whether an execution began earlier than another one. Executions come in the order of their ends, and threads one
 * after another, so the first failure must be searched by its begin. */
static bool is_earlier(const HieraInstance *instance, const HieraInstance *than)
{
    return than->number == 0 || instance->start_ns < than->start_ns;
}

static bool is_worse(const HieraInstance *instance, const HieraInstance *than)
{
    double deviation = instance->sides.deviation, other = than->sides.deviation;
    return than->number == 0 || deviation > other || (deviation == other && is_earlier(instance, than));
}

void hiera_verdicts_add(HieraVerdicts *verdicts, HieraVerdict verdict, HieraInstance instance)
{
    verdicts->n[verdict]++;
    if (__builtin_add_overflow(verdicts->lasted_ns, instance.wall_ns, &verdicts->lasted_ns))
        verdicts->lasted_ns = INT64_MAX;
    if (verdict != HIERA_VERDICT_FAILED)
        return;
    instance.number = hiera_verdicts_count(verdicts);
    verdicts->last = instance;
    if (is_earlier(&instance, &verdicts->first))
        verdicts->first = instance;
    if (is_worse(&instance, &verdicts->worst))
        verdicts->worst = instance;
}

void hiera_verdicts_merge(HieraVerdicts *verdicts, const HieraVerdicts *other)
{
    for (unsigned i = 0; i < 3; i++)
        verdicts->n[i] += other->n[i];
    if (other->lasted_ns > verdicts->lasted_ns)
        verdicts->lasted_ns = other->lasted_ns;
    if (other->n[HIERA_VERDICT_FAILED] == 0)
        return;
    if (is_earlier(&other->first, &verdicts->first))
        verdicts->first = other->first;
    if (is_worse(&other->worst, &verdicts->worst))
        verdicts->worst = other->worst;
}
