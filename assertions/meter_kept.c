/* What a meter keeps for rules over ranks: their executions, or the sum of these. See meter_parts.h.
 *
 * An execution inside another one of the same rule is a part of it, so nothing counts twice, and executions of a thread
 * come in the order in which they begin. */
#include "meter_parts.h"
#include <string.h>

static size_t width_of(const HieraRule *rule)
{
    return HIERA_KEPT_VALUES + rule->n_counters;
}

/* Make room for one more, behind the others. */
static int64_t *append(HieraMeter *meter, HieraMeterArray *kept, const HieraRule *rule)
{
    size_t width = width_of(rule);
    if (!hiera_meter_room(meter, kept, sizeof(int64_t), width))
        return NULL;
    kept->n += width;
    return (int64_t *)kept->items + kept->n - width;
}

/* Add one to a sum. */
static void add(int64_t *sum, const int64_t *item, const HieraRule *rule)
{
    bool has_end = sum[HIERA_KEPT_WALL] != HIERA_METER_NO_TIME && item[HIERA_KEPT_WALL] != HIERA_METER_NO_TIME;
    if (item[HIERA_KEPT_START] < sum[HIERA_KEPT_START]) {
        sum[HIERA_KEPT_START] = item[HIERA_KEPT_START];
        sum[HIERA_KEPT_ROW] = item[HIERA_KEPT_ROW];
    }
    sum[HIERA_KEPT_WALL] =
        has_end ? hiera_meter_plus(sum[HIERA_KEPT_WALL], item[HIERA_KEPT_WALL]) : HIERA_METER_NO_TIME;
    for (size_t i = HIERA_KEPT_VALUES; i < width_of(rule); i++)
        sum[i] = hiera_meter_plus(sum[i], item[i]);
}

void hiera_meter_keep(HieraMeter *meter, const HieraRule *rule, size_t below, const HieraEvaluation *evaluation,
                      const HieraInstance *instance)
{
    size_t number = (size_t)(rule - meter->rules->rules);
    const HieraMeterFrame *frames = meter->frames.items;
    HieraMeterArray *kept = &meter->kept[number];
    for (size_t i = 0; i < below; i++) {
        if (frames[i].rule == number)
            return;
    }
    size_t before = kept->n;
    int64_t *item = append(meter, kept, rule);
    if (!item)
        return;
    item[HIERA_KEPT_START] = instance->start_ns;
    item[HIERA_KEPT_WALL] =
        evaluation->nothing_known || evaluation->wall_unknown ? HIERA_METER_NO_TIME : evaluation->wall_ns;
    item[HIERA_KEPT_ROW] = (int64_t)instance->row;
    for (unsigned i = 0; i < rule->n_counters; i++)
        item[HIERA_KEPT_VALUES + i] = evaluation->values[i];
    if (!rule->each && before > 0) {
        add(kept->items, item, rule);
        kept->n = before;
    }
}

/* Merge those of another thread into those of this one, which has room for both, by their begins. */
static void merge(int64_t *items, size_t n, const int64_t *others, size_t n_others, size_t width)
{
    size_t bytes = width * sizeof *items;
    while (n_others > 0) {
        const int64_t *other = others + (n_others - 1) * width;
        int64_t *last = items + (n - 1) * width, *to = items + (n + n_others - 1) * width;
        bool mine = n > 0 && last[HIERA_KEPT_START] > other[HIERA_KEPT_START];
        memcpy(to, mine ? last : other, bytes);
        n -= mine;
        n_others -= !mine;
    }
}

void hiera_meter_keep_of(HieraMeter *meter, const HieraMeter *thread)
{
    for (size_t i = 0; i < meter->n_rules; i++) {
        const HieraRule *rule = &meter->rules->rules[i];
        HieraMeterArray *kept = &meter->kept[i];
        const HieraMeterArray *others = &thread->kept[i];
        size_t width = width_of(rule), before = kept->n;
        bool has_sum = !rule->each && before > 0;
        if (others->n == 0 || (!has_sum && !hiera_meter_room(meter, kept, sizeof(int64_t), others->n)))
            continue;
        if (has_sum) {
            add(kept->items, others->items, rule);
            continue;
        }
        merge(kept->items, before / width, others->items, others->n / width, width);
        kept->n += others->n;
    }
}
