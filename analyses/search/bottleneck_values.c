/* Relates lost time to the run time of the same ranks and times; see bottleneck_values.h. */
#include "bottleneck_values.h"
#include "values/shares.h"

static gboolean has_part(const HieraFocus *focus, guint part)
{
    return !focus->of_part || focus->of_part[part] == focus->part_group;
}

gint64 hiera_focus_from(const HieraLosses *losses, const HieraFocus *focus)
{
    const HieraTimeParts *parts = &losses->evidences->parts;
    gint64 from_ns = parts->to_ns;
    for (guint i = 0; i < parts->n; i++)
        from_ns = has_part(focus, i) ? MIN(from_ns, parts->part_from_ns[i]) : from_ns;
    return focus->of_part ? from_ns : parts->from_ns;
}

gint64 hiera_focus_to(const HieraLosses *losses, const HieraFocus *focus)
{
    const HieraTimeParts *parts = &losses->evidences->parts;
    gint64 to_ns = parts->from_ns;
    for (guint i = 0; i < parts->n; i++)
        to_ns = has_part(focus, i) ? MAX(to_ns, parts->part_to_ns[i]) : to_ns;
    return focus->of_part ? to_ns : parts->to_ns;
}

static gboolean accepts(const HieraLosses *losses, const HieraFocus *focus, guint32 processor)
{
    return hiera_scope_accepts_rank(losses->scope, losses->trace->processors[processor].rank) &&
           (!focus->of_rank || focus->of_rank[processor] == focus->group);
}

GArray *hiera_focus_select(const HieraFocus *focus, const GArray *evidence)
{
    GArray *selected = g_array_new(FALSE, FALSE, sizeof(HieraEvidence));
    for (guint i = 0; i < evidence->len; i++) {
        const HieraEvidence *one = &g_array_index(evidence, HieraEvidence, i);
        if (!focus->of_rank || focus->of_rank[one->processor] == focus->group)
            g_array_append_val(selected, *one);
    }
    return selected;
}

static gint64 run_of(const HieraLosses *losses, const HieraFocus *focus, guint32 processor)
{
    const HieraTimeParts *parts = &losses->evidences->parts;
    gint64 sum_ns = 0;
    for (guint i = 0; i < parts->n; i++) {
        if (has_part(focus, i))
            sum_ns = hiera_plus(sum_ns, parts->length_ns[(gsize)processor * parts->n + i]);
    }
    return sum_ns;
}

/* Return the time during which any rank is in a part of a focus. The parts begin in order, but different ranks are in
 * different parts at a time. */
static gint64 covered_by(const HieraLosses *losses, const HieraFocus *focus)
{
    const HieraTimeParts *parts = &losses->evidences->parts;
    gint64 sum_ns = 0, until_ns = parts->from_ns;
    if (!focus->of_part)
        return hiera_minus(parts->to_ns, parts->from_ns);
    for (guint i = 0; i < parts->n; i++) {
        if (!has_part(focus, i))
            continue;
        gint64 from_ns = MAX(parts->part_from_ns[i], until_ns);
        sum_ns = hiera_plus(sum_ns, MAX(hiera_minus(parts->part_to_ns[i], from_ns), 0));
        until_ns = MAX(until_ns, parts->part_to_ns[i]);
    }
    return sum_ns;
}

/* Return the lost time by processor, in the times that a focus selects; to be freed with g_free. */
static gint64 *sum_times(const HieraLosses *losses, const GArray *evidence, const HieraFocus *focus)
{
    gint64 *times_ns = g_new0(gint64, (gsize)losses->trace->n_processors + 1);
    for (guint i = 0; i < evidence->len; i++) {
        const HieraEvidence *one = &g_array_index(evidence, HieraEvidence, i);
        const gint64 *of_ns = hiera_evidence_peek_times(&losses->evidences->of[losses->hypothesis], one);
        for (guint part = 0; part < losses->evidences->parts.n; part++) {
            if (has_part(focus, part))
                times_ns[one->processor] = hiera_plus(times_ns[one->processor], of_ns[part]);
        }
    }
    return times_ns;
}

/* Replace each rank's computation by what it is longer than the mean of all ranks; 0 if shorter. */
static void take_excess(const HieraLosses *losses, gint64 *times_ns)
{
    __int128 sum_ns = 0;
    guint32 n = 0;
    for (guint32 i = 0; i < losses->trace->n_processors; i++) {
        gboolean counts = hiera_scope_accepts_rank(losses->scope, losses->trace->processors[i].rank);
        sum_ns += counts ? times_ns[i] : 0;
        n += counts;
    }
    gint64 mean_ns = n > 0 ? (gint64)(sum_ns / n) : 0;
    for (guint32 i = 0; i < losses->trace->n_processors; i++)
        times_ns[i] = MAX(times_ns[i] - mean_ns, 0);
}

/* Return what is 100 % for a rank in a focus: its run time there; for serial sections, that of all ranks. */
static gint64 whole_of(const HieraLosses *losses, const HieraFocus *focus, guint32 processor)
{
    return losses->hypothesis == HIERA_HYPOTHESIS_SERIAL ? covered_by(losses, focus) : run_of(losses, focus, processor);
}

/* Add up lost time and run time of a focus; most_ns: greatest lost time of a rank. @return the number of ranks */
static gint64 add_up(const HieraLosses *losses, const HieraFocus *focus, const gint64 *times_ns, gint64 *time_ns,
                     gint64 *run_ns, gint64 *most_ns)
{
    gint64 n = 0;
    for (guint32 i = 0; i < losses->trace->n_processors; i++) {
        if (!accepts(losses, focus, i))
            continue;
        gint64 whole_ns = whole_of(losses, focus, i);
        *run_ns = losses->hypothesis == HIERA_HYPOTHESIS_SERIAL ? whole_ns : hiera_plus(*run_ns, whole_ns);
        *time_ns = hiera_plus(*time_ns, times_ns[i]);
        *most_ns = MAX(*most_ns, times_ns[i]);
        n++;
    }
    return n;
}

HieraLoss hiera_losses_find(const HieraLosses *losses, const GArray *evidence, const HieraFocus *focus)
{
    gboolean imbalance = losses->hypothesis == HIERA_HYPOTHESIS_IMBALANCE;
    g_autofree gint64 *times_ns = sum_times(losses, evidence, focus);
    gint64 time_ns = 0, run_ns = 0, most_ns = 0, all_ns;
    if (imbalance && focus->of_rank)
        take_excess(losses, times_ns);
    gint64 n = add_up(losses, focus, times_ns, &time_ns, &run_ns, &most_ns);
    if (imbalance && !focus->of_rank)
        time_ns = __builtin_mul_overflow(most_ns, n, &all_ns) ? HIERA_TOO_LARGE : hiera_minus(all_ns, time_ns);
    return (HieraLoss){time_ns, hiera_percent(time_ns, run_ns)};
}

gint64 *hiera_losses_by_rank(const HieraLosses *losses, const GArray *evidence, const HieraFocus *focus)
{
    gint64 *times_ns = sum_times(losses, evidence, focus);
    if (losses->hypothesis == HIERA_HYPOTHESIS_IMBALANCE)
        take_excess(losses, times_ns);
    for (guint32 i = 0; i < losses->trace->n_processors; i++)
        times_ns[i] = accepts(losses, focus, i) ? hiera_percent(times_ns[i], whole_of(losses, focus, i)) : -1;
    return times_ns;
}

gint64 hiera_losses_value(const HieraLosses *losses, gint64 time_ns)
{
    gint64 run_ns = losses->hypothesis == HIERA_HYPOTHESIS_SERIAL ? covered_by(losses, &(HieraFocus){0})
                                                                  : hiera_run_sum(losses->trace, losses->scope);
    return hiera_percent(time_ns, run_ns);
}
