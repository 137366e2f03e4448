#include "loop_find.h"

#include "call_dictionary.h"
#include "text/hash.h"

#include <stddef.h>
#include <string.h>

enum {
    REPEATS = 2,     /* number of equal iterations that make a sequence the body of a loop */
    CALLS = 6,       /* number of calls in all iterations from which a loop saves bytes */
    COMPARISONS = 64 /* maximum number of comparisons for each token */
};

/* One pass: a search for loops among the items of found->items from `begin` to `end`. */
typedef struct {
    HieraFound *found;
    HieraBodies *bodies;
    const HieraItem *items;
    uint32_t begin, end;
    uint32_t sealed;         /* index of the first item that may still become part of a loop of this pass */
    uint32_t bad_period;     /* period of the last repetition that was rejected */
    uint32_t bad_end;        /* index of the item at which this repetition ended */
    const HieraBody *varied; /* body that was rejected because too many calls differed between its iterations */
    uint32_t varied_end;     /* index of the item at which these iterations ended */
    uint32_t longest;        /* longest period that a new body may have in this pass */
    bool met_longer;         /* whether this pass has met a repetition with a period longer than `longest` */
    bool of_kin;             /* whether items of two iterations need only have the same kin, not the same symbol */
    uint32_t variation;   /* if `of_kin`: at most one of this many calls may differ from the same call of the previous
                             iteration */
    uint64_t comparisons; /* number of comparisons that are still allowed */
} Search;

/* Longest period of each pass. Short periods are found first, since they are inside long ones; then iterations whose
 * calls are not all the same; at last iterations whose numbers differ each time. */
static const struct {
    uint32_t period;
    bool of_kin;
    uint32_t variation;
} passes[] = {{8, false, 4},
              {64, false, 4},
              {512, false, 4},
              {HIERA_BODY_PLACES, false, 4},
              {64, true, 4},
              {512, true, 4},
              {HIERA_BODY_PLACES, true, 4},
              {64, true, 1}};

uint32_t hiera_item_repeats(const HieraItem *loop, const HieraBody *body)
{
    return (loop->n_children + body->n - 1) / body->n;
}

/* --- items: tokens, and loops that replace them --- */

/* Pair each BEGIN with its END. A token without partner gets a unique symbol, so that it never repeats. */
static void pair_tokens(HieraFound *found)
{
    uint32_t n_open = 0;
    for (uint32_t i = 0; i < found->n_tokens; i++) {
        HieraLoopToken *token = &found->tokens[i];
        if (token->kind == HIERA_LOOP_TOKEN_BEGIN)
            found->open[n_open++] = i;
        else if (token->kind == HIERA_LOOP_TOKEN_END && n_open > 0)
            token->finish = found->tokens[found->open[--n_open]].finish;
        else if (token->kind == HIERA_LOOP_TOKEN_END)
            token->symbol = token->kin = UINT64_MAX - i;
    }
    for (uint32_t i = 0; i < n_open; i++)
        found->tokens[found->open[i]].symbol = found->tokens[found->open[i]].kin = UINT64_MAX - found->open[i];
}

static void make_items(HieraFound *found)
{
    for (uint32_t i = 0; i < found->n_tokens; i++) {
        const HieraLoopToken *token = &found->tokens[i];
        /* field by field, because an assignment of a whole item would first clear it */
        HieraItem *item = &found->items[i];
        item->symbol = token->symbol;
        item->kin = token->kin;
        item->first = i;
        item->n_calls = token->kind != HIERA_LOOP_TOKEN_END;
        item->kind = token->kind;
    }
    found->begin = 0;
    found->end = found->n_tokens;
}

static void measure_depth(Search *search)
{
    int32_t depth = 0;
    for (uint32_t i = search->begin; i < search->end; i++) {
        search->found->depth[i - search->begin] = depth;
        depth += (search->items[i].kind == HIERA_LOOP_TOKEN_BEGIN) - (search->items[i].kind == HIERA_LOOP_TOKEN_END);
    }
    search->found->depth[search->end - search->begin] = depth;
}

static int32_t depth_at(const Search *search, uint32_t item)
{
    return search->found->depth[item - search->begin];
}

/* Copy the symbols, or the kin, of up to HIERA_GRAM items from `at` on. Returns how many there are. */
static uint32_t symbols_from(const Search *search, uint32_t at, bool of_kin, uint64_t *symbols)
{
    uint32_t n = 0;
    for (; n < HIERA_GRAM && at + n < search->end; n++)
        symbols[n] = of_kin ? search->items[at + n].kin : search->items[at + n].symbol;
    return n;
}

static bool spend(Search *search, uint32_t comparisons)
{
    search->comparisons -= comparisons < search->comparisons ? comparisons : search->comparisons;
    return search->comparisons > 0;
}

/* --- finding loops among the items --- */

static uint32_t calls_of(const HieraItem *items, uint32_t n)
{
    uint32_t calls = 0;
    for (uint32_t i = 0; i < n; i++)
        calls += items[i].n_calls;
    return calls;
}

static HieraItem loop_of(const Search *search, const HieraBody *body, uint32_t first, uint32_t n, uint32_t from)
{
    return (HieraItem){.symbol = hiera_loop_symbol(body->id),
                       .kin = hiera_loop_symbol(body->id),
                       .first = first,
                       .n_children = n,
                       .n_calls = calls_of(search->items + first, n),
                       .body = body->index,
                       .from = (uint16_t)from,
                       .kind = HIERA_LOOP_TOKEN_LOOP};
}

/* Return how many items from `at` on match the places of a body from `place` on. */
static uint32_t count_same(Search *search, const HieraBody *body, uint32_t place, uint32_t at)
{
    uint32_t n = 0;
    while (place + n < body->n && at + n < search->end && search->items[at + n].kin == body->places[place + n].kin)
        n++;
    spend(search, n + 1);
    return n;
}

static uint32_t count_repeats(Search *search, const HieraBody *body, uint32_t at)
{
    uint32_t repeats = 0;
    while (count_same(search, body, 0, at + repeats * body->n) == body->n)
        repeats++;
    return repeats;
}

/* Whether only few of the items from `at`, which are iterations of n places, differ from the previous iteration.
 * Otherwise a loop is not worth it. `before`: body whose last iteration comes before; NULL: none does. */
static bool vary_seldom(const Search *search, const HieraBody *before, uint32_t at, uint32_t n, uint32_t repeats)
{
    uint32_t others = 0, calls = 0;
    for (uint32_t i = 0; i < repeats * n; i++) {
        const HieraItem *item = &search->items[at + i];
        calls += item->n_calls;
        if (i >= n)
            others += item->symbol != item[-(ptrdiff_t)n].symbol;
        else if (before)
            others += item->symbol != before->places[i].symbol;
    }
    return others * search->variation <= calls;
}

/* Return the known body whose iterations cover the most items from `at` on; NULL: none begins there. */
static HieraBody *find_known(Search *search, uint32_t at, uint32_t *repeats)
{
    uint64_t symbols[HIERA_GRAM];
    uint32_t n = symbols_from(search, at, true, symbols), most = 0;
    HieraBody *best = NULL;
    for (uint32_t gram = 1; gram <= n; gram += HIERA_GRAM - 1) {
        for (HieraBody *body = hiera_bodies_first(search->bodies, symbols, gram); body; body = body->next) {
            uint32_t its = body == search->varied && at < search->varied_end ? 0 : count_repeats(search, body, at);
            if (its * body->n <= most)
                continue;
            if (!vary_seldom(search, body, at, body->n, its)) {
                search->varied = body;
                search->varied_end = at + its * body->n;
                continue;
            }
            most = its * body->n;
            *repeats = its;
            best = body;
        }
    }
    return best;
}

static uint32_t level_of(const Search *search, uint32_t first, uint32_t n)
{
    uint32_t level = 0;
    for (const HieraItem *item = search->items + first; item < search->items + first + n; item++)
        if (item->kind == HIERA_LOOP_TOKEN_LOOP && hiera_bodies_get(search->bodies, item->body)->level > level)
            level = hiera_bodies_get(search->bodies, item->body)->level;
    return level + 1;
}

static bool expect_both(HieraBodyPlace *place, HieraVariant variant)
{
    static const HieraSteps none;
    return hiera_place_expect(&place->call, variant, none) && hiera_place_expect(&place->first, variant, none);
}

static HieraBody *make_body(Search *search, uint32_t first, uint32_t n)
{
    uint32_t level = level_of(search, first, n);
    HieraBody *body = level <= HIERA_BODY_LEVELS ? hiera_bodies_new(search->bodies, n) : NULL;
    if (!body)
        return NULL;
    body->level = level;
    for (uint32_t i = 0; i < n; i++) {
        const HieraItem *item = &search->items[first + i];
        HieraBodyPlace *place = &body->places[i];
        place->symbol = item->symbol;
        place->kin = item->kin;
        place->kind = item->kind;
        place->body = item->body;
        if (item->kind != HIERA_LOOP_TOKEN_LOOP && !expect_both(place, search->found->tokens[item->first].variant))
            return NULL;
    }
    hiera_bodies_enter(search->bodies, body);
    return body;
}

/* Return how many items from `at` on equal those from `before` on. */
static uint32_t count_like(Search *search, uint32_t before, uint32_t at)
{
    uint32_t n = 0;
    while (at + n < search->end && (search->of_kin ? search->items[before + n].kin == search->items[at + n].kin
                                                   : search->items[before + n].symbol == search->items[at + n].symbol))
        n++;
    spend(search, n + 1);
    return n;
}

/* The items from `from` to `to` repeat with `period`. Choose where an iteration begins, so that each end in it has its
 * begin: where the fewest elements are open. */
static uint32_t choose_begin(const Search *search, uint32_t from, uint32_t to, uint32_t period)
{
    uint32_t best = from;
    for (uint32_t i = from; i < from + period && i < to; i++)
        if (depth_at(search, i) < depth_at(search, best))
            best = i;
    return best;
}

/* Make the body of a repetition at `at`; *begin: index of its first item, *repeats: its iterations. NULL: none. */
static HieraBody *find_new(Search *search, uint32_t at, uint32_t *begin, uint32_t *repeats)
{
    uint64_t symbols[HIERA_GRAM];
    if (symbols_from(search, at, search->of_kin, symbols) < HIERA_GRAM)
        return NULL;
    uint32_t *latest = &search->found->latest[hiera_hash_words(symbols, HIERA_GRAM, 0) % HIERA_LOOP_TOKENS];
    bool is_there = *latest > search->found->pass;
    uint32_t before = *latest - 1 - search->found->pass, period = at - before;
    *latest = at + 1 + search->found->pass;
    search->met_longer |= is_there && period > search->longest;
    if (!is_there || period > search->longest || (period == search->bad_period && at < search->bad_end))
        return NULL;
    uint32_t end = at + count_like(search, before, at);
    uint32_t from = before > search->sealed ? before : search->sealed;
    *repeats = (end - from) /
               period; /* upper limit of the number of iterations; it is usually too low for a loop, so test it first */
    if (*repeats >= REPEATS) {
        *begin = choose_begin(search, from, end, period);
        *repeats = end > *begin ? (end - *begin) / period : 0;
    }
    if (*repeats < REPEATS || depth_at(search, before + period) != depth_at(search, before) ||
        calls_of(search->items + *begin, *repeats * period) < CALLS ||
        (search->of_kin && !vary_seldom(search, NULL, *begin, period, *repeats))) {
        search->bad_period = period;
        search->bad_end = end;
        return NULL;
    }
    return make_body(search, *begin, period);
}

/* Begin a pass: entries of `latest` from earlier passes become invalid without being cleared. */
static void begin_pass(HieraFound *found)
{
    if (found->pass <= UINT32_MAX - 3 * HIERA_LOOP_ITEMS) {
        found->pass += HIERA_LOOP_ITEMS;
        return;
    }
    memset(found->latest, 0, sizeof found->latest);
    found->pass = 0;
}

/* Run one pass: if it finds loops, the items of the next pass follow its own in found->items. Returns whether it found
 * any. */
static bool find_loops(Search *search)
{
    HieraFound *found = search->found;
    HieraItem *to = found->items + search->end;
    bool any = false;
    begin_pass(found);
    measure_depth(search);
    search->sealed = search->begin;
    search->bad_end = 0;
    for (uint32_t at = search->begin; at < search->end;) {
        uint32_t begin = at, repeats = 0;
        HieraBody *body = search->comparisons > 0 ? find_known(search, at, &repeats) : NULL;
        if (!body && search->comparisons > 0)
            body = find_new(search, at, &begin, &repeats);
        if (!body) {
            *to++ = search->items[at++];
            continue;
        }
        while (at < begin)
            *to++ = search->items[at++];
        to -= at - begin;
        *to++ = loop_of(search, body, begin, repeats * body->n, 0);
        search->sealed = at = begin + repeats * body->n;
        any = true;
    }
    if (any) {
        found->begin = search->end;
        found->end = (uint32_t)(to - found->items);
    }
    return any;
}

/* --- loops of less than one iteration --- */

/* Return how many items from `at` on match a body's places from `place` on, cut so that each begin has its end. */
static uint32_t count_whole(Search *search, const HieraBody *body, uint32_t place, uint32_t at)
{
    uint32_t n = count_same(search, body, place, at), whole = 0;
    int32_t depth = 0;
    for (uint32_t i = 0; i < n && depth >= 0; i++) {
        depth += (body->places[place + i].kind == HIERA_LOOP_TOKEN_BEGIN) -
                 (body->places[place + i].kind == HIERA_LOOP_TOKEN_END);
        if (depth == 0)
            whole = i + 1;
    }
    return whole;
}

static void find_parts(Search *search)
{
    HieraItem *to = search->found->items + search->end;
    for (uint32_t at = search->begin; at < search->end;) {
        uint64_t symbols[HIERA_GRAM];
        uint32_t place = 0, n = 0;
        HieraBody *body = NULL;
        if (search->comparisons > 0 && symbols_from(search, at, true, symbols) == HIERA_GRAM)
            body = hiera_bodies_inside(search->bodies, symbols, &place);
        if (body)
            n = count_whole(search, body, place, at);
        if (n == 0 || calls_of(search->items + at, n) < CALLS) {
            *to++ = search->items[at++];
            continue;
        }
        *to++ = loop_of(search, body, at, n, place);
        at += n;
    }
    search->found->begin = search->end;
    search->found->end = (uint32_t)(to - search->found->items);
}

static Search search_of(HieraFound *found, HieraBodies *bodies, size_t pass, uint64_t comparisons)
{
    return (Search){.found = found,
                    .bodies = bodies,
                    .items = found->items,
                    .begin = found->begin,
                    .end = found->end,
                    .longest = passes[pass].period,
                    .of_kin = passes[pass].of_kin,
                    .variation = passes[pass].variation,
                    .comparisons = comparisons};
}

/* Whether found->items has room for the items of `more` further passes. */
static bool has_room(const HieraFound *found, uint32_t more)
{
    return found->end + more * (found->end - found->begin) <= HIERA_LOOP_ITEMS;
}

/* Whether a pass differs from the one before it only in longer periods. Then it can find no more than that one, unless
 * there are longer repetitions. */
static bool is_longer_alone(size_t pass)
{
    return passes[pass].of_kin == passes[pass - 1].of_kin && passes[pass].variation == passes[pass - 1].variation;
}

void hiera_loop_tokens_find(HieraFound *found, HieraBodies *bodies)
{
    uint64_t comparisons = (uint64_t)COMPARISONS * found->n_tokens;
    bool met_longer = true;
    pair_tokens(found);
    make_items(found);
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        bool finds_the_same = i > 0 && is_longer_alone(i) && !met_longer;
        for (bool any = !finds_the_same; any && has_room(found, 2);) {
            Search search = search_of(found, bodies, i, comparisons);
            any = find_loops(&search);
            comparisons = search.comparisons;
            met_longer = search.met_longer;
        }
    }
    if (has_room(found, 1)) {
        Search search = search_of(found, bodies, 0, comparisons);
        find_parts(&search);
    }
}
