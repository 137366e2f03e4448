/* Evaluations of a rule, added up: memory does not grow with their number. */
#include "assertions.h"

/* Is an instance worse than another one? */
static bool is_worse(const HieraInstance *instance, const HieraInstance *than)
{
    return than->number == 0 || instance->sides.deviation > than->sides.deviation;
}

void hiera_verdicts_add(HieraVerdicts *verdicts, HieraVerdict verdict, HieraInstance instance)
{
    verdicts->n[verdict]++;
    if (__builtin_add_overflow(verdicts->lasted_ns, instance.wall_ns, &verdicts->lasted_ns))
        verdicts->lasted_ns = INT64_MAX;
    if (verdict != HIERA_VERDICT_FAILED)
        return;
    instance.number = hiera_verdicts_count(verdicts);
    if (verdicts->n[HIERA_VERDICT_FAILED] == 1)
        verdicts->first = instance;
    if (is_worse(&instance, &verdicts->worst))
        verdicts->worst = instance;
}

void hiera_verdicts_merge(HieraVerdicts *verdicts, const HieraVerdicts *other)
{
    bool had_failed = verdicts->n[HIERA_VERDICT_FAILED] > 0;
    for (unsigned i = 0; i < 3; i++)
        verdicts->n[i] += other->n[i];
    if (other->lasted_ns > verdicts->lasted_ns)
        verdicts->lasted_ns = other->lasted_ns;
    if (other->n[HIERA_VERDICT_FAILED] == 0)
        return;
    if (!had_failed || other->first.start_ns < verdicts->first.start_ns)
        verdicts->first = other->first;
    if (is_worse(&other->worst, &verdicts->worst))
        verdicts->worst = other->worst;
}
