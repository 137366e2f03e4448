/* See loop_bodies.h. Bodies are found by a hash of the kin of their first HIERA_GRAM places, or of the first place if
 * the body is shorter. A table has all sequences of HIERA_GRAM places; new ones replace old ones. */
#include "loop_bodies.h"

#include "base/kept.h"
#include "base/xml_text.h"
#include "call_dictionary.h"
#include "memory/signal_safe_memory.h"
#include "text/hash.h"

#include <string.h>

enum { BODIES = 512, PLACES = 16384, SLOTS = 1024, GRAMS = 8192, NUMBER_DIGITS = 18 };
#define NUMBER_MAX INT64_C(999999999999999999) /* the largest number with NUMBER_DIGITS digits */

typedef struct Gram {
    uint32_t body, place; /* index + 1 of the loop body; index of the sequence's first place in this body */
} Gram;

struct HieraBodies {
    uint32_t n, n_places;
    HieraBody *all[BODIES];
    HieraBody *first[SLOTS];
    Gram grams[GRAMS];
};

static uint32_t last_id HIERA_KEPT; /* ids are unique in the process, as its threads become sections of one document */

HieraBodies *hiera_bodies_make(void)
{
    return hiera_memory_new(sizeof(HieraBodies));
}

static void free_extras(HieraBodyPlace *place)
{
    hiera_memory_free(place->call.extra, HIERA_EXTRA_MAX);
    hiera_memory_free(place->first.extra, HIERA_EXTRA_MAX);
}

static void free_body(HieraBody *body)
{
    for (uint32_t i = 0; i < body->n; i++)
        free_extras(&body->places[i]);
    hiera_memory_free(body, sizeof *body + body->n * sizeof *body->places);
}

/* Each loop body is unlinked before it is freed, because a signal handler may interrupt this. */
void hiera_bodies_forget(HieraBodies *bodies)
{
    memset(bodies->first, 0, sizeof bodies->first);
    memset(bodies->grams, 0, sizeof bodies->grams);
    bodies->n_places = 0;
    while (bodies->n > 0) {
        HieraBody *body = bodies->all[--bodies->n];
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        free_body(body);
    }
}

void hiera_bodies_free(HieraBodies *bodies)
{
    hiera_bodies_forget(bodies);
    hiera_memory_free(bodies, sizeof *bodies);
}

bool hiera_bodies_are_full(const HieraBodies *bodies)
{
    return bodies->n >= BODIES - BODIES / 8 || bodies->n_places >= PLACES - HIERA_BODY_PLACES;
}

HieraBody *hiera_bodies_get(const HieraBodies *bodies, uint32_t index)
{
    return bodies->all[index];
}

static uint64_t hash_of(const uint64_t *symbols, uint32_t n)
{
    return n < HIERA_GRAM ? hiera_hash_words(symbols, 1, 1) : hiera_hash_words(symbols, HIERA_GRAM, HIERA_GRAM);
}

HieraBody *hiera_bodies_new(HieraBodies *bodies, uint32_t n)
{
    HieraBody *body = NULL;
    if (n <= HIERA_BODY_PLACES && bodies->n < BODIES && bodies->n_places + n <= PLACES)
        body = hiera_memory_new(sizeof *body + n * sizeof *body->places);
    if (!body)
        return NULL;
    body->n = n;
    body->index = bodies->n;
    body->id = ++last_id;
    body->level = 1;
    bodies->all[bodies->n] = body;
    bodies->n_places += n;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    bodies->n++;
    return body;
}

static void symbols_at(const HieraBody *body, uint32_t place, uint64_t *symbols)
{
    for (uint32_t i = 0; i < HIERA_GRAM && place + i < body->n; i++)
        symbols[i] = body->places[place + i].kin;
}

void hiera_bodies_enter(HieraBodies *bodies, HieraBody *body)
{
    uint64_t symbols[HIERA_GRAM];
    symbols_at(body, 0, symbols);
    HieraBody **slot = &bodies->first[hash_of(symbols, body->n) % SLOTS];
    body->next = *slot;
    *slot = body;
    for (uint32_t i = 0; i + HIERA_GRAM <= body->n; i++) {
        symbols_at(body, i, symbols);
        bodies->grams[hash_of(symbols, HIERA_GRAM) % GRAMS] = (Gram){body->index + 1, i};
    }
}

HieraBody *hiera_bodies_first(const HieraBodies *bodies, const uint64_t *symbols, uint32_t n)
{
    return bodies->first[hash_of(symbols, n) % SLOTS];
}

HieraBody *hiera_bodies_inside(const HieraBodies *bodies, const uint64_t *symbols, uint32_t *place)
{
    Gram gram = bodies->grams[hash_of(symbols, HIERA_GRAM) % GRAMS];
    *place = gram.place;
    return gram.body > 0 ? bodies->all[gram.body - 1] : NULL;
}

/* --- the call that is expected next at a place of a loop body --- */

typedef struct Number {
    const char *begin, *end; /* begin and end of the number's digits in the text of an attribute */
} Number;

/* Find the first numbers in the values of attributes. Returns how many there are, at most HIERA_STEPS. Texts with
 * character references (&#10;) have none: a reader sees the characters instead. */
static unsigned find_numbers(HieraVariant variant, Number numbers[HIERA_STEPS])
{
    unsigned n = 0;
    const char *at = variant.extra, *end = at + variant.length;
    for (; at < end; at++) {
        bool inside = false;
        while (at < end && *at != '"')
            at++;
        for (at++; at < end && *at != '"'; at++) {
            bool is_digit = *at >= '0' && *at <= '9';
            if (*at == '&' && at + 1 < end && at[1] == '#')
                return 0;
            if (is_digit && !inside && n == HIERA_STEPS)
                return n;
            if (is_digit && !inside)
                numbers[n++].begin = at;
            if (is_digit)
                numbers[n - 1].end = at + 1;
            inside = is_digit;
        }
    }
    return n;
}

/* Return the value of a number; -1: it has more than NUMBER_DIGITS digits or a leading 0, so it cannot grow. */
static int64_t value_of(Number number)
{
    int64_t value = 0;
    if (number.end - number.begin > NUMBER_DIGITS || (number.end - number.begin > 1 && *number.begin == '0'))
        return -1;
    for (const char *at = number.begin; at < number.end; at++)
        value = 10 * value + (*at - '0');
    return value;
}

static bool is_same_text(const char *a, const char *a_end, const char *b, const char *b_end)
{
    return a_end - a == b_end - b && memcmp(a, b, (size_t)(a_end - a)) == 0;
}

/* Do as hiera_variant_steps(). *n_numbers: how many numbers `a` has; valid only if any number grows. */
static HieraSteps steps_between(HieraVariant a, HieraVariant b, unsigned *n_numbers)
{
    Number in_a[HIERA_STEPS], in_b[HIERA_STEPS];
    HieraSteps none = {{0}}, steps = none;
    unsigned n = *n_numbers = find_numbers(a, in_a);
    if (n == 0 || a.number != b.number || find_numbers(b, in_b) != n)
        return none;
    const char *a_at = a.extra, *b_at = b.extra;
    for (unsigned i = 0; i < n; i++) {
        bool is_same = is_same_text(in_a[i].begin, in_a[i].end, in_b[i].begin, in_b[i].end);
        int64_t from = value_of(in_a[i]), to = value_of(in_b[i]);
        if (!is_same_text(a_at, in_a[i].begin, b_at, in_b[i].begin) || (!is_same && (from < 0 || to < 0)))
            return none;
        steps.by[i] = is_same ? 0 : to - from;
        a_at = in_a[i].end;
        b_at = in_b[i].end;
    }
    return is_same_text(a_at, a.extra + a.length, b_at, b.extra + b.length) ? steps : none;
}

HieraSteps hiera_variant_steps(HieraVariant a, HieraVariant b)
{
    unsigned n;
    return steps_between(a, b, &n);
}

unsigned hiera_steps_count(HieraSteps steps)
{
    unsigned n = HIERA_STEPS;
    while (n > 0 && steps.by[n - 1] == 0)
        n--;
    return n;
}

bool hiera_place_expect(HieraPlaceCall *call, HieraVariant variant, HieraSteps steps)
{
    call->number = 0;
    if (variant.length > 0 && !call->extra && !(call->extra = hiera_memory_new(HIERA_EXTRA_MAX)))
        return false;
    call->number = variant.number;
    call->length = variant.length;
    call->steps = steps;
    if (variant.length > 0)
        memcpy(call->extra, variant.extra, variant.length);
    return true;
}

static HieraVariant variant_of(const HieraPlaceCall *call)
{
    return (HieraVariant){call->number, call->length, call->extra};
}

/* Make the attributes that `call` has in the next iteration. Returns their length; 0: they cannot be made. */
static size_t grow(const HieraPlaceCall *call, char text[HIERA_EXTRA_MAX + 2 * HIERA_TEXT_MARGIN])
{
    Number numbers[HIERA_STEPS];
    unsigned n = find_numbers(variant_of(call), numbers);
    HieraText to = hiera_text_into(text, HIERA_EXTRA_MAX + HIERA_TEXT_MARGIN);
    const char *at = call->extra;
    for (unsigned i = 0; i < n; i++) {
        int64_t value = call->steps.by[i] != 0 ? value_of(numbers[i]) + call->steps.by[i] : 0;
        if (value < 0 || value > NUMBER_MAX)
            return 0;
        if (call->steps.by[i] == 0)
            continue;
        hiera_text_bytes(&to, at, (size_t)(numbers[i].begin - at));
        hiera_text_unsigned(&to, (uint64_t)value);
        at = numbers[i].end;
    }
    hiera_text_bytes(&to, at, (size_t)(call->extra + call->length - at));
    size_t length = (size_t)(to.next - text);
    return length <= HIERA_EXTRA_MAX ? length : 0;
}

bool hiera_place_differs_in_numbers(const HieraBodyPlace *place, HieraVariant variant, HieraSteps *by, unsigned *n)
{
    HieraVariant expected = variant_of(&place->call);
    if (expected.number != variant.number || expected.length == 0)
        return false;
    *by = steps_between(expected, variant, n);
    return hiera_steps_count(*by) > 0;
}

void hiera_body_begin_anew(HieraBody *body)
{
    for (uint32_t i = 0; i < body->n; i++)
        body->places[i].begins_anew = true;
}

bool hiera_body_place_reach(HieraBodyPlace *place, HieraVariant variant)
{
    if (place->begins_anew)
        hiera_place_expect(&place->call, variant_of(&place->first), place->first.steps);
    return place->call.number == variant.number && place->call.length == variant.length &&
           (variant.length == 0 || memcmp(place->call.extra, variant.extra, variant.length) == 0);
}

void hiera_body_place_leave(HieraBodyPlace *place)
{
    char text[HIERA_EXTRA_MAX + 2 * HIERA_TEXT_MARGIN];
    HieraPlaceCall *call = &place->call;
    if (place->begins_anew)
        hiera_place_expect(&place->first, variant_of(call), call->steps);
    place->begins_anew = false;
    if (call->number == 0 || hiera_steps_count(call->steps) == 0)
        return;
    size_t length = grow(call, text);
    if (length == 0)
        call->number = 0;
    memcpy(call->extra, text, length);
    call->length = (uint32_t)length;
}
