/* Executions, or their sums, that a meter keeps for rules over ranks. See meter_parts.h.
 *
 * An execution inside another one of the same rule is a part of it, and is left out, so nothing counts twice.
 * Executions of a rank are ordered by their begins, over all threads. */
#include "meter_parts.h"
#include <string.h>

static size_t width_of(const HieraRule *rule)
{
    return HIERA_KEPT_VALUES + rule->n_counters;
}

void hiera_meter_set_keeper(HieraMeter *meter, const HieraKeeper *keeper)
{
    meter->keeper = keeper;
}

/* Pass stored executions of the rule to the keeper if they have reached HIERA_KEPT_FEW numbers. */
static void hand_over(HieraMeter *meter, size_t number)
{
    const HieraRule *rule = &meter->rules->rules[number];
    HieraMeterArray *kept = &meter->kept[number];
    size_t width = width_of(rule), most = HIERA_KEPT_FEW / width * width;
    if (!meter->keeper || !rule->each || most == 0)
        return;
    while (kept->n >= most &&
           meter->keeper->take(meter->keeper->user, number, (int64_t *)kept->items + kept->n - most, most))
        kept->n -= most;
}

/* Append an item for one execution of the rule; the caller sets its numbers. NULL: memory is short. */
static int64_t *append(HieraMeter *meter, HieraMeterArray *kept, const HieraRule *rule)
{
    size_t width = width_of(rule);
    if (!hiera_meter_room(meter, kept, sizeof(int64_t), width))
        return NULL;
    kept->n += width;
    return (int64_t *)kept->items + kept->n - width;
}

/* Add an execution's duration and counter values to a sum of executions. */
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
    hand_over(meter, number);
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

void hiera_meter_keep_of(HieraMeter *meter, const HieraMeter *thread)
{
    for (size_t i = 0; i < meter->n_rules; i++) {
        const HieraRule *rule = &meter->rules->rules[i];
        HieraMeterArray *kept = &meter->kept[i];
        const HieraMeterArray *others = &thread->kept[i];
        size_t before = kept->n;
        bool has_sum = !rule->each && before > 0;
        if (others->n == 0 || (!has_sum && !hiera_meter_room(meter, kept, sizeof(int64_t), others->n)))
            continue;
        if (has_sum) {
            add(kept->items, others->items, rule);
            continue;
        }
        memcpy((int64_t *)kept->items + before, others->items, others->n * sizeof(int64_t));
        kept->n += others->n;
        hand_over(meter, i);
    }
}

/* Order by begin, then by the other numbers. The row comes last, because it only says where the host has the execution.
 */
static bool is_before(const int64_t *item, const int64_t *other, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        if (i != HIERA_KEPT_ROW && item[i] != other[i])
            return item[i] < other[i];
    }
    return item[HIERA_KEPT_ROW] < other[HIERA_KEPT_ROW];
}

static void swap(int64_t *item, int64_t *other, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        int64_t number = item[i];
        item[i] = other[i];
        other[i] = number;
    }
}

/* Restore the heap order: move `item` down the heap of n items until none of its children sorts after it. */
static void sink(int64_t *items, size_t item, size_t n, size_t width)
{
    for (size_t below = 2 * item + 1; below < n; item = below, below = 2 * item + 1) {
        if (below + 1 < n && is_before(items + below * width, items + (below + 1) * width, width))
            below++;
        if (!is_before(items + item * width, items + below * width, width))
            return;
        swap(items + item * width, items + below * width, width);
    }
}

/* Uses heap sort, which needs no memory, because the program that is ending may have run out of it. */
void hiera_kept_sort(int64_t *items, size_t n, size_t width)
{
    size_t sorted = 1;
    while (sorted < n && is_before(items + (sorted - 1) * width, items + sorted * width, width))
        sorted++;
    if (sorted >= n)
        return;
    for (size_t i = n / 2; i > 0; i--)
        sink(items, i - 1, n, width);
    for (size_t i = n - 1; i > 0; i--) {
        swap(items, items + i * width, width);
        sink(items, 0, i, width);
    }
}
