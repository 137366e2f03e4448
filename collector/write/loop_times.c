/* See loop_times.h, and dtd/loop_times.h for the digits. Both functions walk over the items of a loop and the places of
 * its body at the same time. */
#include "loop_times.h"

#include <string.h>

static HieraBodyPlace *place_of(const HieraBody *body, const HieraItem *loop, uint32_t child)
{
    return (HieraBodyPlace *)&body->places[(loop->from + child) % body->n];
}

uint64_t hiera_item_start(const HieraFound *found, const HieraItem *item)
{
    while (item->kind == HIERA_LOOP_TOKEN_LOOP)
        item = &found->items[item->first];
    return found->tokens[item->first].start;
}

uint64_t hiera_item_end(const HieraFound *found, const HieraItem *item)
{
    while (item->kind == HIERA_LOOP_TOKEN_LOOP)
        item = &found->items[item->first + item->n_children - 1];
    return found->tokens[item->first].finish;
}

/* --- writing times of the calls of a loop --- */

enum { BITS_AT_ONCE = 64 - HIERA_LOOP_GROUP_BITS };

typedef struct {
    HieraText *text;
    const HieraFound *found;
    const HieraBodies *bodies;
    uint64_t bits;   /* bits that are not written yet */
    unsigned n_bits; /* number of bits in `bits`; less than HIERA_LOOP_GROUP_BITS outside of put_bits() */
    uint64_t before; /* end of the previous call (of an open call: its start), from which the next gap is computed */
    bool has_before;
} Times;

static inline void put_group(HieraText *text, unsigned group)
{
    const char digits[] = {hiera_loop_character(group / HIERA_LOOP_DIGITS),
                           hiera_loop_character(group % HIERA_LOOP_DIGITS)};
    hiera_text_short(text, digits, sizeof digits);
}

/* Append the low n bits of `bits`, at most BITS_AT_ONCE; write each group of HIERA_LOOP_GROUP_BITS that is complete. */
static inline void put_bits(Times *times, uint64_t bits, unsigned n)
{
    times->bits = times->bits << n | bits;
    times->n_bits += n;
    while (times->n_bits >= HIERA_LOOP_GROUP_BITS) {
        times->n_bits -= HIERA_LOOP_GROUP_BITS;
        put_group(times->text, (unsigned)(times->bits >> times->n_bits) & ((1u << HIERA_LOOP_GROUP_BITS) - 1));
    }
}

static void put_low_bits(Times *times, uint64_t bits, unsigned n)
{
    if (n > 32)
        put_bits(times, bits >> 32 & ((UINT64_C(1) << (n - 32)) - 1), n - 32);
    unsigned low = n > 32 ? 32 : n;
    put_bits(times, bits & ((UINT64_C(1) << low) - 1), low);
}

/* Write a number as put_number() does, if its code has more than BITS_AT_ONCE bits. */
static void put_long(Times *times, uint64_t difference, uint64_t rest, unsigned digits, unsigned width)
{
    put_low_bits(times, UINT64_MAX, digits);
    put_bits(times, 0, 1);
    if (digits > 0)
        put_low_bits(times, rest, digits - 1);
    put_low_bits(times, difference, width);
}

static void put_number(Times *times, HieraLoopGuess *guess, int64_t number)
{
    unsigned width = hiera_loop_width(guess);
    uint64_t difference = hiera_loop_difference(guess, number), rest = difference >> width;
    unsigned digits = rest > 0 ? hiera_loop_digits(rest) : 0, n = digits > 0 ? 2 * digits + width : 1 + width;
    hiera_loop_follow(guess, number); /* update `guess` before text is written, while its values are in registers */
    if (HIERA_UNLIKELY(n > BITS_AT_ONCE)) {
        put_long(times, difference, rest, digits, width);
    } else if (digits > 0) {
        uint64_t ones = (UINT64_C(1) << digits) - 1, below = UINT64_C(1) << (digits - 1);
        put_bits(times, (ones << digits | (rest - below)) << width | (difference & ((UINT64_C(1) << width) - 1)), n);
    } else {
        put_bits(times, difference, n);
    }
}

static void put_call(Times *times, HieraBodyPlace *place, const HieraLoopToken *token)
{
    if (token->kind == HIERA_LOOP_TOKEN_END) {
        times->before = token->finish;
        return;
    }
    if (times->has_before)
        put_number(times, &place->gap, (int64_t)(token->start - times->before));
    put_number(times, &place->span, (int64_t)(token->finish - token->start));
    times->before = token->kind == HIERA_LOOP_TOKEN_BEGIN ? token->start : token->finish;
    times->has_before = true;
}

static void put_loop(Times *times, const HieraItem *loop)
{
    const HieraBody *body = hiera_bodies_get(times->bodies, loop->body);
    for (uint32_t i = 0; i < loop->n_children; i++) {
        const HieraItem *child = &times->found->items[loop->first + i];
        HieraBodyPlace *place = place_of(body, loop, i);
        if (child->kind != HIERA_LOOP_TOKEN_LOOP) {
            put_call(times, place, &times->found->tokens[child->first]);
            continue;
        }
        put_number(times, &place->gap, hiera_item_repeats(child, hiera_bodies_get(times->bodies, child->body)) - 1);
        put_loop(times, child);
    }
}

void hiera_loop_put_times(HieraText *text, const HieraFound *found, const HieraBodies *bodies, const HieraItem *loop)
{
    Times times = {.text = text, .found = found, .bodies = bodies};
    put_loop(&times, loop);
    if (times.n_bits > 0)
        put_bits(&times, 0, HIERA_LOOP_GROUP_BITS - times.n_bits);
}

/* --- calls that differ from those of the previous iteration --- */

/* Number of characters for changed numbers of one loop. When these are used up, each change gets a hieraVary. */
enum { VALUES = 32 << 10 };

static char values_bytes[VALUES + 2 * HIERA_TEXT_MARGIN];

typedef struct {
    HieraText *text;
    const HieraFound *found;
    const HieraBodies *bodies;
    const char *before;
    uint32_t call; /* index in the loop of the call that is being compared */
    bool any;
    HieraText values_text;
    Times values;
    HieraLoopGuess distance; /* guess of the number of calls between two changes of numbers */
    uint32_t changed;        /* index in the loop of the last call whose numbers changed */
} Variants;

static void put_steps(HieraText *text, HieraSteps steps)
{
    unsigned n = hiera_steps_count(steps);
    if (n == 0)
        return;
    HIERA_TEXT_LITERAL(text, " by=\"");
    for (unsigned i = 0; i < n; i++) {
        if (i > 0)
            hiera_text_char(text, ' ');
        hiera_text_signed(text, steps.by[i]);
    }
    HIERA_TEXT_LITERAL(text, "\"");
}

static void put_variant(Variants *variants, HieraVariant variant, HieraSteps steps)
{
    HieraText *text = variants->text;
    if (!variants->any)
        hiera_text_bytes(text, variants->before, strlen(variants->before));
    variants->any = true;
    HIERA_TEXT_LITERAL(text, "\n<hieraVary at=\"");
    hiera_text_unsigned(text, variants->call);
    HIERA_TEXT_LITERAL(text, "\" r=\"c");
    hiera_text_unsigned(text, variant.number);
    HIERA_TEXT_LITERAL(text, "\"");
    put_steps(text, steps);
    hiera_text_bytes(text, variant.extra, variant.length);
    HIERA_TEXT_LITERAL(text, "/>");
}

static HieraSteps steps_between(const Variants *variants, const HieraItem *items, uint32_t a, uint32_t b)
{
    return hiera_variant_steps(variants->found->tokens[items[a].first].variant,
                               variants->found->tokens[items[b].first].variant);
}

/* Return by how much the numbers of this call grow until the next iteration, if they grow so in all remaining
 * iterations, or in many. Otherwise it is shorter to write each change. */
static HieraSteps steps_after(const Variants *variants, const HieraItem *loop, const HieraBody *body, uint32_t child)
{
    enum { MANY = 8 };
    static const HieraSteps none;
    const HieraItem *items = variants->found->items + loop->first;
    uint32_t next = child + body->n;
    if (next + body->n >= loop->n_children)
        return none;
    HieraSteps steps = steps_between(variants, items, child, next);
    for (unsigned i = 0; i < MANY && hiera_steps_count(steps) > 0 && next + body->n < loop->n_children;
         i++, next += body->n) {
        HieraSteps then = steps_between(variants, items, next, next + body->n);
        if (memcmp(&steps, &then, sizeof steps) != 0)
            return none;
    }
    return steps;
}

/* Write by how much a call's numbers have changed. Returns false if there is no room, or if anything else differs. */
static bool put_change(Variants *variants, HieraBodyPlace *place, HieraVariant variant)
{
    HieraSteps by;
    unsigned n;
    if (variants->values_text.next > variants->values_text.limit - 64 ||
        !hiera_place_differs_in_numbers(place, variant, &by, &n))
        return false;
    put_number(&variants->values, &variants->distance, variants->call - variants->changed);
    for (unsigned i = 0; i < n; i++)
        put_number(&variants->values, &place->value[i], by.by[i]);
    variants->changed = variants->call;
    return true;
}

static void put_values(Variants *variants)
{
    if (variants->values.n_bits > 0)
        put_bits(&variants->values, 0, HIERA_LOOP_GROUP_BITS - variants->values.n_bits);
    HieraText *values = &variants->values_text;
    if (values->next == values->base)
        return;
    if (!variants->any)
        hiera_text_bytes(variants->text, variants->before, strlen(variants->before));
    variants->any = true;
    HIERA_TEXT_LITERAL(variants->text, "\n<hieraVary at=\"");
    hiera_text_unsigned(variants->text, variants->changed);
    HIERA_TEXT_LITERAL(variants->text, "\" values=\"");
    hiera_text_bytes(variants->text, values->base, (size_t)(values->next - values->base));
    HIERA_TEXT_LITERAL(variants->text, "\"/>");
}

static void vary_loop(Variants *variants, const HieraItem *loop)
{
    const HieraBody *body = hiera_bodies_get(variants->bodies, loop->body);
    for (uint32_t i = 0; i < loop->n_children; i++) {
        const HieraItem *child = &variants->found->items[loop->first + i];
        HieraBodyPlace *place = place_of(body, loop, i);
        if (child->kind == HIERA_LOOP_TOKEN_LOOP) {
            hiera_body_begin_anew(hiera_bodies_get(variants->bodies, child->body));
            vary_loop(variants, child);
        }
        if (child->kind == HIERA_LOOP_TOKEN_LOOP || child->kind == HIERA_LOOP_TOKEN_END)
            continue;
        HieraVariant variant = variants->found->tokens[child->first].variant;
        place->symbol = child->symbol;
        if (HIERA_LIKELY(hiera_body_place_is_plain(place, variant))) {
            place->begins_anew = false;
            variants->call++;
            continue;
        }
        if (!hiera_body_place_reach(place, variant)) {
            HieraSteps steps = steps_after(variants, loop, body, i);
            if (hiera_steps_count(steps) > 0 || !put_change(variants, place, variant))
                put_variant(variants, variant, steps);
            hiera_place_expect(&place->call, variant, steps);
        }
        hiera_body_place_leave(place);
        variants->call++;
    }
}

bool hiera_loop_put_variants(HieraText *text, const HieraFound *found, const HieraBodies *bodies, const HieraItem *loop,
                             const char *before)
{
    Variants variants = {.text = text, .found = found, .bodies = bodies, .before = before};
    variants.values_text = hiera_text_into(values_bytes, VALUES);
    variants.values = (Times){.text = &variants.values_text};
    vary_loop(&variants, loop);
    put_values(&variants);
    return variants.any;
}
