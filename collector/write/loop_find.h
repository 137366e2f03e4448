/* Find repeated sequences in the tokens of a flush (HIERA_FOLD).
 *
 * Idea: the tokens become items. In each pass, repeated items are replaced by one item, a loop; the repeated sequence
 * is its body. Inner loops are found first, since they are shorter; the next pass finds the loops around them. Bodies
 * of earlier flushes are known, and one turn (iteration) of them is enough to be a loop. When nothing repeats any more,
 * parts of known bodies become loops of less than one turn, because a buffer may end anywhere. Time is linear: the
 * number of comparisons is limited. */
#pragma once

#include "loop_bodies.h"

enum { HIERA_LOOP_TOKENS = 6144, HIERA_LOOP_ITEMS = 3 * HIERA_LOOP_TOKENS };

typedef struct HieraLoopToken {
    uint64_t symbol;        /* equal symbols: equal calls, apart from times */
    uint64_t kin;           /* equal kin: equal calls, apart from times and arguments */
    uint64_t start, finish; /* in nanoseconds; END: only the finish, which is that of its BEGIN */
    HieraVariant variant;   /* variant of the call; not set for END */
    uint8_t kind;           /* HieraLoopTokenKind */
    uint8_t element;        /* only for END: HIERA_FRAME_… */
} HieraLoopToken;

typedef struct HieraItem {
    uint64_t symbol, kin;
    uint32_t first;      /* index of its token; LOOP: index of its first child among the items */
    uint32_t n_children; /* number of children; only for LOOP */
    uint32_t n_calls;    /* number of calls inside it */
    uint32_t body;       /* LOOP: index of its body */
    uint16_t from;       /* for LOOP: place of its body where the first child is */
    uint8_t kind;        /* HieraLoopTokenKind */
} HieraItem;

typedef struct HieraFound {
    uint32_t n_tokens;
    uint32_t begin, end; /* range of the items that represent all tokens; their children come before */
    HieraLoopToken tokens[HIERA_LOOP_TOKENS];
    HieraItem items[HIERA_LOOP_ITEMS];
    int32_t depth[HIERA_LOOP_TOKENS + 1];
    uint32_t pass; /* number of all passes so far, times HIERA_LOOP_ITEMS */
    /* Index of the latest item at which a sequence with this hash begins, + 1 + the pass in which it was found; so it
     * needs no clearing. */
    uint32_t latest[HIERA_LOOP_TOKENS];
    uint32_t open[HIERA_LOOP_TOKENS];
} HieraFound;

/* Find the loops among found->tokens. Places of new bodies get the variants of the first turn. */
void hiera_loop_tokens_find(HieraFound *found, HieraBodies *bodies);

/* Return the number of turns of a loop; a part of a turn counts as one. */
uint32_t hiera_item_turns(const HieraItem *loop, const HieraBody *body);
