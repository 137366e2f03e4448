/* See aggregate.h. Results of all functions can be merged: a mean is stored as sum and count, a distribution as counts.
 * Other threads may read a cell while its own thread adds to it; then they may see a sum that is newer than its count.
 */
#include "aggregate.h"
#include <math.h>

enum { NEGATIVE, ZERO, POWERS, N_POWERS = 63 }; /* indices of quantize's bins: below 0, 0, then from 1, 2, 4, … on */

bool hiera_aggregate_is_distribution(const HieraScriptName *name)
{
    return name->function == HIERA_AGGREGATE_QUANTIZE || name->function == HIERA_AGGREGATE_LQUANTIZE;
}

/* Number of bins of lquantize between lower and upper. */
static unsigned count_steps(const HieraScriptName *name)
{
    return (unsigned)ceil((name->upper - name->lower) / name->step);
}

bool hiera_aggregate_has_bins(double lower, double upper, double step)
{
    return step > 0 && upper > lower && (upper - lower) / step <= HIERA_AGGREGATE_MOST_STEPS;
}

unsigned hiera_aggregate_count_bins(const HieraScriptName *name)
{
    return name->function == HIERA_AGGREGATE_QUANTIZE ? POWERS + N_POWERS : count_steps(name) + 2;
}

size_t hiera_aggregate_size(const HieraScriptName *name)
{
    return hiera_aggregate_is_distribution(name) ? hiera_aggregate_count_bins(name) * sizeof(uint64_t)
                                                 : sizeof(HieraTally);
}

/* --- adding values to a cell --- */

static int64_t add_whole(int64_t a, int64_t b)
{
    int64_t sum;
    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return b > 0 ? INT64_MAX : INT64_MIN;
}

static double number_of(HieraValue value)
{
    return value.type == HIERA_VALUE_NUMBER ? value.number : (double)value.integer;
}

static unsigned find_power(HieraValue value)
{
    double number = number_of(value);
    int64_t whole = value.type == HIERA_VALUE_NUMBER ? 0 : value.integer;
    if (value.type == HIERA_VALUE_NUMBER)
        whole = number >= 0x1p62 ? INT64_MAX : number < 0 ? -1 : (int64_t)number;
    if (whole <= 0)
        return whole < 0 ? NEGATIVE : ZERO;
    return POWERS + 63 - (unsigned)__builtin_clzll((unsigned long long)whole);
}

static unsigned find_step(const HieraScriptName *name, HieraValue value)
{
    double number = number_of(value);
    if (number < name->lower)
        return 0;
    if (number >= name->upper)
        return count_steps(name) + 1;
    unsigned step = (unsigned)((number - name->lower) / name->step), last = count_steps(name) - 1;
    return 1 + (step < last ? step : last);
}

/* Store the count last, so that a thread which sees the new count also sees the new value. */
static void store_tally(HieraTally *tally, HieraTally value)
{
    __atomic_store(&tally->number, &value.number, __ATOMIC_RELAXED);
    __atomic_store_n(&tally->whole, value.whole, __ATOMIC_RELAXED);
    __atomic_store_n(&tally->count, value.count, __ATOMIC_RELEASE);
}

static HieraTally load_tally(const HieraTally *tally)
{
    HieraTally value = {.count = __atomic_load_n(&tally->count, __ATOMIC_ACQUIRE)};
    __atomic_load(&tally->number, &value.number, __ATOMIC_RELAXED);
    value.whole = __atomic_load_n(&tally->whole, __ATOMIC_RELAXED);
    return value;
}

/* Merge another tally into one of a sum, a minimum or a maximum. */
static void merge_tally(const HieraScriptName *name, HieraTally *cell, HieraTally other)
{
    HieraTally tally = *cell;
    bool first = tally.count == 0;
    if (other.count == 0)
        return;
    tally.count += other.count;
    switch (name->function) {
    case HIERA_AGGREGATE_MIN:
        tally.whole = first || other.whole < tally.whole ? other.whole : tally.whole;
        tally.number = first || other.number < tally.number ? other.number : tally.number;
        break;
    case HIERA_AGGREGATE_MAX:
        tally.whole = first || other.whole > tally.whole ? other.whole : tally.whole;
        tally.number = first || other.number > tally.number ? other.number : tally.number;
        break;
    default:
        tally.whole = add_whole(tally.whole, other.whole);
        tally.number += other.number;
    }
    store_tally(cell, tally);
}

static void count(uint64_t *counter, uint64_t more)
{
    __atomic_store_n(counter, *counter + more, __ATOMIC_RELAXED);
}

void hiera_aggregate_add(const HieraScriptName *name, void *cell, HieraValue value)
{
    bool is_number = value.type == HIERA_VALUE_NUMBER;
    if (hiera_aggregate_is_distribution(name)) {
        uint64_t *counts = cell;
        count(&counts[name->function == HIERA_AGGREGATE_QUANTIZE ? find_power(value) : find_step(name, value)], 1);
        return;
    }
    HieraTally one = {.count = 1};
    if (name->function != HIERA_AGGREGATE_COUNT)
        one = (HieraTally){1, is_number ? 0 : value.integer, is_number ? value.number : 0};
    merge_tally(name, cell, one);
}

bool hiera_aggregate_is_empty(const HieraScriptName *name, const void *cell)
{
    return !hiera_aggregate_is_distribution(name) && load_tally(cell).count == 0;
}

void hiera_aggregate_merge(const HieraScriptName *name, void *cell, const void *other)
{
    if (!hiera_aggregate_is_distribution(name)) {
        merge_tally(name, cell, load_tally(other));
        return;
    }
    uint64_t *counts = cell;
    for (unsigned i = 0; i < hiera_aggregate_count_bins(name); i++)
        count(&counts[i], __atomic_load_n(&((const uint64_t *)other)[i], __ATOMIC_RELAXED));
}

/* --- results of a cell --- */

static HieraValue value_of(HieraValueType type, int64_t whole, double number)
{
    if (type == HIERA_VALUE_NUMBER)
        return hiera_value_number(number);
    return type == HIERA_VALUE_DURATION ? hiera_value_duration(whole) : hiera_value_integer(whole);
}

HieraValue hiera_aggregate_result(const HieraScriptName *name, const void *cell)
{
    const HieraTally *tally = cell;
    double mean = ((double)tally->whole + tally->number) / (double)tally->count;
    if (name->function == HIERA_AGGREGATE_COUNT)
        return hiera_value_integer((int64_t)tally->count);
    if (name->function != HIERA_AGGREGATE_AVG)
        return value_of(name->type, tally->whole, tally->number);
    return name->type == HIERA_VALUE_DURATION ? hiera_value_duration((int64_t)llround(mean)) : hiera_value_number(mean);
}

HieraAggregateBin hiera_aggregate_bin(const HieraScriptName *name, const void *cell, unsigned bin)
{
    HieraAggregateBin found = {hiera_value_missing(), ((const uint64_t *)cell)[bin]};
    if (name->function == HIERA_AGGREGATE_QUANTIZE && bin > NEGATIVE) {
        int64_t from = bin == ZERO ? 0 : INT64_C(1) << (bin - POWERS);
        found.from = value_of(name->type, from, (double)from);
    } else if (name->function == HIERA_AGGREGATE_LQUANTIZE && bin > 0) {
        bool last = bin == hiera_aggregate_count_bins(name) - 1;
        double from = last ? name->upper : name->lower + (bin - 1) * name->step;
        found.from = value_of(name->type, (int64_t)llround(from), from);
    }
    return found;
}
