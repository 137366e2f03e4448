/* Evaluations of a rule, added up: memory does not grow with their number. */
#include "assertions.h"

/* Is an instance worse than another one? */
static bool is_worse(const HieraInstance *instance, const HieraInstance *than)
{
    return than->number == 0 || instance->sides.deviation > than->sides.deviation;
}

void hiera_tally_add(HieraTally *tally, HieraVerdict verdict, HieraInstance instance)
{
    tally->n[verdict]++;
    if (verdict != HIERA_VERDICT_FAILED)
        return;
    instance.number = hiera_tally_count(tally);
    if (tally->n[HIERA_VERDICT_FAILED] == 1)
        tally->first = instance;
    if (is_worse(&instance, &tally->worst))
        tally->worst = instance;
}

void hiera_tally_merge(HieraTally *tally, const HieraTally *other)
{
    bool had_failed = tally->n[HIERA_VERDICT_FAILED] > 0;
    for (unsigned i = 0; i < 3; i++)
        tally->n[i] += other->n[i];
    if (other->n[HIERA_VERDICT_FAILED] == 0)
        return;
    if (!had_failed || other->first.start_ns < tally->first.start_ns)
        tally->first = other->first;
    if (is_worse(&other->worst, &tally->worst))
        tally->worst = other->worst;
}
