/* Applies instructions and branches to the known upper limits of numbers. See limits.h and jump_values.h. */
#include "jump_values.h"
#include "limits.h"
#include <string.h>

static guint64 greatest(guint bytes)
{
    return bytes >= 8 ? G_MAXUINT64 : ((guint64)1 << (8 * bytes)) - 1;
}

/* Whether a number of `bytes` bytes that is at most `most` has the same value as signed and as unsigned. */
static gboolean is_positive(guint64 most, guint bytes)
{
    return most <= greatest(bytes) >> 1;
}

guint64 hiera_limit_of(const HieraLimit *limit, guint bytes)
{
    return limit->width >= bytes ? MIN(limit->most, greatest(bytes)) : greatest(bytes);
}

gboolean hiera_limit_is_same(const HieraLimit *a, const HieraLimit *b)
{
    return a->most == b->most && a->width == b->width && a->origin == b->origin && a->taken == b->taken &&
           a->with_sign == b->with_sign;
}

HieraLimit hiera_limit_join(const HieraLimit *a, const HieraLimit *b)
{
    HieraLimit joined = {0};
    joined.width = MIN(a->width, b->width);
    joined.most = joined.width > 0 ? MAX(a->most, b->most) : 0;
    if (a->origin == b->origin && a->taken == b->taken && a->with_sign == b->with_sign) {
        joined.origin = a->origin;
        joined.taken = a->taken;
        joined.with_sign = a->with_sign;
    }
    return joined;
}

/* --- limits of numbers in memory --- */

static gboolean is_same_address(const HieraJumpOperand *a, const HieraJumpOperand *b)
{
    return a->base == b->base && a->index == b->index && a->scale == b->scale;
}

static HieraLimit *find_memory(HieraJumpLimits *limits, const HieraJumpOperand *place)
{
    for (guint i = 0; i < HIERA_MEMORY_MAX && place->size > 0; i++) {
        HieraMemory *memory = &limits->memory[i];
        if (memory->place.size == place->size && is_same_address(&memory->place, place) &&
            memory->place.offset == place->offset)
            return &memory->limit;
    }
    return NULL;
}

/* Add a limit for a place in memory; if the list is full, the oldest place is dropped. */
static HieraLimit *add_memory(HieraJumpLimits *limits, const HieraJumpOperand *place)
{
    guint i = 0;
    while (i + 1 < HIERA_MEMORY_MAX && limits->memory[i].place.size > 0)
        i++;
    if (limits->memory[i].place.size > 0)
        memmove(limits->memory, limits->memory + 1, sizeof limits->memory - sizeof limits->memory[0]);
    limits->memory[i] = (HieraMemory){*place, {.most = greatest(place->size), .width = sizeof(guint64)}};
    return &limits->memory[i].limit;
}

/* Find the limit of an operand; a new place in memory is added. NULL: it is not known which place it is. */
static HieraLimit *find(HieraJumpEvaluation *evaluation, const HieraJumpOperand *operand)
{
    if (operand->reg >= 0)
        return &evaluation->values[operand->reg].limit;
    HieraLimit *found = find_memory(&evaluation->limits, operand);
    return found || operand->size == 0 ? found : add_memory(&evaluation->limits, operand);
}

/* Whether two places in memory may overlap. */
static gboolean may_meet(const HieraJumpOperand *a, const HieraJumpOperand *b)
{
    return a->size == 0 || !is_same_address(a, b) ||
           (a->offset < b->offset + b->size && b->offset < a->offset + a->size);
}

gboolean hiera_limits_join(HieraJumpLimits *limits, const HieraJumpLimits *other)
{
    gboolean changed = FALSE;
    for (guint i = 0; i < HIERA_MEMORY_MAX; i++) {
        HieraMemory *memory = &limits->memory[i];
        const HieraLimit *there = find_memory((HieraJumpLimits *)other, &memory->place);
        HieraLimit joined = there ? hiera_limit_join(&memory->limit, there) : (HieraLimit){0};
        if (memory->place.size == 0 || (there && hiera_limit_is_same(&joined, &memory->limit)))
            continue;
        changed = TRUE;
        memory->limit = joined;
        memory->place.size = there ? memory->place.size : 0;
    }
    HieraJumpComparison *a = &limits->comparison;
    const HieraJumpComparison *b = &other->comparison;
    gboolean same = a->origin == b->origin && a->number == b->number && a->width == b->width && a->taken == b->taken;
    changed |= a->width > 0 && (!same || (a->unequal && !b->unequal));
    a->width = same ? a->width : 0;
    a->unequal &= b->unequal;
    return changed;
}

/* --- origins: instructions that first used a number --- */

/* Remove an origin from all limits, because its instruction is executed again and yields another number. */
static void forget_origin(HieraJumpEvaluation *evaluation, guint64 origin)
{
    for (guint i = 0; i < HIERA_REGISTERS_MAX; i++)
        if (evaluation->values[i].limit.origin == origin)
            evaluation->values[i].limit.origin = 0;
    for (guint i = 0; i < HIERA_MEMORY_MAX; i++)
        if (evaluation->limits.memory[i].limit.origin == origin)
            evaluation->limits.memory[i].limit.origin = 0;
    if (evaluation->limits.comparison.origin == origin)
        evaluation->limits.comparison.width = 0;
}

static void give_origin(HieraJumpEvaluation *evaluation, HieraLimit *limit)
{
    if (limit->origin != 0)
        return;
    forget_origin(evaluation, evaluation->at);
    limit->origin = evaluation->at;
    limit->taken = sizeof(guint64);
    limit->with_sign = FALSE;
}

/* --- effects of instructions on limits --- */

/* Limit of an unknown number of some bytes. An instruction that writes 4 bytes of a register clears the upper 4. */
static HieraLimit any(guint bytes)
{
    return bytes == 4 ? (HieraLimit){.most = greatest(4), .width = sizeof(guint64)} : (HieraLimit){0};
}

static HieraLimit at_most(guint64 most, guint bytes)
{
    return (HieraLimit){.most = most, .width = (guint8)(bytes >= 4 ? sizeof(guint64) : bytes)};
}

/* Limit of a number that is made from the low bytes of another one. */
static HieraLimit widen(const HieraLimit *from, guint bytes, gboolean with_sign, guint to_bytes)
{
    guint64 most = hiera_limit_of(from, bytes);
    if (bytes >= sizeof(guint64))
        return *from;
    HieraLimit limit = with_sign && !is_positive(most, bytes) ? any(to_bytes) : at_most(most, sizeof(guint64));
    limit.origin = from->origin;
    limit.taken = MIN(from->taken, (guint8)bytes);
    limit.with_sign = bytes <= from->taken ? with_sign : from->with_sign;
    if (from->with_sign && bytes > from->taken)
        limit.origin = 0;
    return limit;
}

HieraLimit hiera_limits_result(HieraJumpEvaluation *evaluation, const HieraEffect *effect)
{
    HieraLimit *from = find(evaluation, &effect->from);
    guint bytes = effect->from.size;
    guint64 most = from ? hiera_limit_of(from, bytes) : G_MAXUINT64;
    switch (effect->kind) {
    case HIERA_EFFECT_COPY:
        if (!from)
            return any(effect->to.size);
        give_origin(evaluation, from);
        return widen(from, bytes, effect->with_sign, effect->to.size);
    case HIERA_EFFECT_NUMBER:
        return at_most(effect->number, effect->to.size);
    case HIERA_EFFECT_MASK:
        return at_most(MIN(effect->number, most), effect->to.size);
    case HIERA_EFFECT_SHIFT:
        return at_most(MIN(most, greatest(effect->to.size)) >> effect->number, effect->to.size);
    case HIERA_EFFECT_COMPARE:
    case HIERA_EFFECT_OTHER:
        break;
    }
    return any(effect->to.size);
}

void hiera_limits_compare(HieraJumpEvaluation *evaluation, const HieraEffect *effect)
{
    HieraJumpComparison *comparison = &evaluation->limits.comparison;
    if (effect->kind != HIERA_EFFECT_COMPARE) {
        if (!effect->keeps_flags)
            comparison->width = 0;
        return;
    }
    HieraLimit *from = find(evaluation, &effect->from);
    comparison->width = 0;
    if (!from)
        return;
    if (from->with_sign && effect->from.size > from->taken)
        from->origin = 0;
    give_origin(evaluation, from);
    *comparison = (HieraJumpComparison){.origin = from->origin};
    comparison->width = (guint8)effect->from.size;
    comparison->number = effect->number & greatest(comparison->width);
    comparison->taken = MIN(comparison->width, from->taken);
}

void hiera_limits_forget_register(HieraJumpEvaluation *evaluation, int reg)
{
    for (guint i = 0; i < HIERA_MEMORY_MAX; i++) {
        HieraJumpOperand *place = &evaluation->limits.memory[i].place;
        if (place->base == reg || place->index == reg)
            place->size = 0;
    }
}

void hiera_limits_store(HieraJumpEvaluation *evaluation, const HieraEffect *effect, const HieraLimit *limit)
{
    if (!effect->stores)
        return;
    for (guint i = 0; i < HIERA_MEMORY_MAX; i++) {
        HieraJumpOperand *place = &evaluation->limits.memory[i].place;
        if (place->size > 0 && may_meet(&effect->to, place))
            place->size = 0;
    }
    if (effect->to.reg < 0 && effect->to.size > 0 && effect->kind == HIERA_EFFECT_COPY)
        *add_memory(&evaluation->limits, &effect->to) = *limit;
}

/* --- effects of branches on limits --- */

/* Greatest value, up to `most`, of a number whose low `bytes` bytes fulfil `condition` when compared with `number`. */
static guint64 let_through(HieraCondition condition, guint64 most, guint64 number, guint bytes)
{
    gboolean positive = is_positive(number, bytes), both = positive && is_positive(most, bytes);
    switch (condition) {
    case HIERA_JUMP_IF_EQUAL:
    case HIERA_JUMP_IF_NOT_ABOVE:
        return MIN(most, number);
    case HIERA_JUMP_IF_NOT_GREATER:
        return both ? MIN(most, number) : most;
    case HIERA_JUMP_IF_BELOW:
        return number > 0 ? MIN(most, number - 1) : most;
    case HIERA_JUMP_IF_LESS:
        return both && number > 0 ? MIN(most, number - 1) : most;
    case HIERA_JUMP_IF_NOT_EQUAL:
        return most == number && number > 0 ? most - 1 : most;
    case HIERA_JUMP_IF_GREATER:
    case HIERA_JUMP_IF_NOT_LESS:
        return positive ? MIN(most, greatest(bytes) >> 1) : most;
    case HIERA_JUMP_IF_NOT_NEGATIVE:
        return number == 0 ? MIN(most, greatest(bytes) >> 1) : most;
    case HIERA_JUMP_IF_ABOVE:
    case HIERA_JUMP_IF_NOT_BELOW:
    case HIERA_JUMP_IF_NEGATIVE:
    case HIERA_JUMP_IF_OTHER:
        break;
    }
    return most;
}

/* Apply the outcome of a branch to a limit whose number has the same origin as the compared number. */
static void restrict_to(HieraLimit *limit, HieraCondition condition, const HieraJumpComparison *comparison)
{
    guint common = comparison->taken;
    guint64 known = limit->taken >= common ? hiera_limit_of(limit, common) : greatest(common);
    guint64 most = let_through(condition, known, comparison->number, comparison->width);
    gboolean whole = limit->taken <= common ? !limit->with_sign || is_positive(most, limit->taken)
                                            : limit->width == sizeof(guint64) && limit->most <= greatest(common);
    guint width = whole ? sizeof(guint64) : common;
    if (most >= greatest(common) || (!whole && limit->taken <= common) ||
        (limit->width >= width && limit->most <= most))
        return;
    limit->most = most;
    limit->width = (guint8)width;
}

void hiera_limits_branch(HieraJumpEvaluation *evaluation, HieraCondition condition)
{
    const HieraJumpComparison comparison = evaluation->limits.comparison;
    if (comparison.width == 0)
        return;
    if (comparison.unequal && condition == HIERA_JUMP_IF_NOT_ABOVE)
        condition = HIERA_JUMP_IF_BELOW;
    if (comparison.unequal && condition == HIERA_JUMP_IF_NOT_GREATER)
        condition = HIERA_JUMP_IF_LESS;
    evaluation->limits.comparison.unequal |= condition == HIERA_JUMP_IF_NOT_EQUAL;
    for (guint i = 0; i < HIERA_REGISTERS_MAX; i++)
        if (evaluation->values[i].limit.origin == comparison.origin)
            restrict_to(&evaluation->values[i].limit, condition, &comparison);
    for (guint i = 0; i < HIERA_MEMORY_MAX; i++)
        if (evaluation->limits.memory[i].place.size > 0 &&
            evaluation->limits.memory[i].limit.origin == comparison.origin)
            restrict_to(&evaluation->limits.memory[i].limit, condition, &comparison);
}
