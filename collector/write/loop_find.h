/* Find repeated sequences in the tokens of a flush (HIERA_FOLD).
 *
 * Idea: the tokens become items. In each pass, repeated items are replaced by one item, a loop; the repeated sequence
 * is its body. Inner loops are found first, since they are shorter; the next pass finds the loops around them. Bodies
 * of earlier flushes are known, and one iteration of them is enough to be a loop. When nothing repeats any more,
 * parts of known bodies become loops of less than one iteration, because a buffer may end anywhere. Time is linear: the
 * number of comparisons is limited. */
#pragma once

#include "loop_bodies.h"

enum { HIERA_LOOP_TOKENS = 6144, HIERA_LOOP_ITEMS = 3 * HIERA_LOOP_TOKENS };

typedef struct HieraLoopToken {
    uint64_t symbol; /* equal for calls that are equal apart from their times */
    uint64_t kin; /* equal for calls that are equal apart from times and arguments, and may share a place of a body */
    uint64_t start, finish; /* times of the call in ns; for END only `finish`, which is copied from its BEGIN */
    HieraVariant variant;   /* declaration and attributes of the call; not set for END */
    uint8_t kind;           /* a HieraLoopTokenKind */
    uint8_t element;        /* kind of the ended element, HIERA_FRAME_…; only set for END */
} HieraLoopToken;

typedef struct HieraItem {
    uint64_t symbol, kin;
    uint32_t first;      /* index of the item's token; for LOOP index in `items` of its first child */
    uint32_t n_children; /* number of children in `items`; only for LOOP */
    uint32_t n_calls;    /* number of calls in the item, with those in its children */
    uint32_t body;       /* index of the body; only for LOOP */
    uint16_t from;       /* place of the body that the first child has; only for LOOP */
    uint8_t kind;        /* a HieraLoopTokenKind */
} HieraItem;

typedef struct HieraFound {
    uint32_t n_tokens;
    uint32_t begin, end; /* range in `items` that represents all tokens; children of its loops are in front of it */
    HieraLoopToken tokens[HIERA_LOOP_TOKENS];
    HieraItem items[HIERA_LOOP_ITEMS];
    int32_t depth[HIERA_LOOP_TOKENS + 1];
    uint32_t pass; /* number of passes since `latest` was cleared, times HIERA_LOOP_ITEMS */
    /* Index of the latest item at which a sequence with this hash begins, + 1 + the pass in which it was found; so it
     * needs no clearing. */
    uint32_t latest[HIERA_LOOP_TOKENS];
    uint32_t open[HIERA_LOOP_TOKENS];
} HieraFound;

/* Replace repeated sequences of found->tokens by loops. Places of new bodies get the first iteration's variants. */
void hiera_loop_tokens_find(HieraFound *found, HieraBodies *bodies);

/* Return the number of iterations of a loop, where an incomplete one counts as one. */
uint32_t hiera_item_repeats(const HieraItem *loop, const HieraBody *body);
