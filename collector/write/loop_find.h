/* Find what comes several times in a row in the tokens of a flush (HIERA_FOLD).
 *
 * Idea: the tokens are items. In each pass, items that repeat become one item, a loop; its body is what repeats. Inner
 * loops are found first, since they are shorter; the next pass finds the loops around them. Bodies of earlier flushes
 * are known, and one turn of them is enough to be a loop. When nothing repeats any more, parts of known bodies become
 * loops of less than one turn: a buffer ends anywhere. Time is linear: the comparisons are counted, and end the search.
 */
#ifndef HIERA_LOOP_FIND_H
#define HIERA_LOOP_FIND_H

#include "loop_bodies.h"

enum { HIERA_LOOP_TOKENS = 6144, HIERA_LOOP_ITEMS = 3 * HIERA_LOOP_TOKENS };

typedef struct HieraLoopToken {
    uint64_t symbol;        /* the same: the same call but for its times */
    uint64_t kin;           /* the same: the same call but for its arguments, too */
    uint64_t start, finish; /* in nanoseconds. END: only the finish of its BEGIN */
    HieraVariant variant;   /* END: none */
    uint8_t kind;           /* HieraLoopTokenKind */
    uint8_t element;        /* END: HIERA_FRAME_… */
} HieraLoopToken;

typedef struct HieraItem {
    uint64_t symbol, kin;
    uint32_t first;      /* its token; LOOP: its first child among the items */
    uint32_t n_children; /* LOOP */
    uint32_t n_calls;    /* that are in it */
    uint32_t body;       /* LOOP: index of its body, */
    uint16_t from;       /* and at which place of it the first child is */
    uint8_t kind;        /* HieraLoopTokenKind */
} HieraItem;

typedef struct HieraFound {
    uint32_t n_tokens;
    uint32_t begin, end; /* the items that stand for all tokens; their children are before them */
    HieraLoopToken tokens[HIERA_LOOP_TOKENS];
    HieraItem items[HIERA_LOOP_ITEMS];
    int32_t depth[HIERA_LOOP_TOKENS + 1];
    uint32_t pass; /* number of all passes so far, times HIERA_LOOP_ITEMS */
    /* The latest item at which such a sequence begins, + 1 + the pass in which it was met: never cleared. */
    uint32_t latest[HIERA_LOOP_TOKENS];
    uint32_t open[HIERA_LOOP_TOKENS];
} HieraFound;

/* Find the loops among found->tokens. The variants of places of new bodies are those of the first turn. */
void hiera_loop_tokens_find(HieraFound *found, HieraBodies *bodies);

/* How many turns of its body a loop has; a part of a turn counts as one. */
uint32_t hiera_item_turns(const HieraItem *loop, const HieraBody *body);

#endif
