/* An array of facts by number that never moves, and gives back what is not needed any more: read without a lock while
 * another thread adds to it.
 *
 * Items lie in pieces, and the pieces are found by two steps through nodes. A piece without an item is used again for
 * other numbers, but not given back: who reads an item too late finds nothing, or another one, and does no harm. */
#ifndef HIERA_STABLE_ARRAY_H
#define HIERA_STABLE_ARRAY_H

#include <stddef.h>
#include <stdint.h>

enum { HIERA_PIECE_BITS = 6, HIERA_NODE_BITS = 9, HIERA_ROOT_BITS = 32 - HIERA_PIECE_BITS - 2 * HIERA_NODE_BITS };

typedef struct HieraPiece {
    uint64_t used;           /* a bit for each item */
    struct HieraPiece *next; /* of those without an item */
    char items[];
} HieraPiece;

typedef struct HieraNode {
    uint32_t n;             /* of `below` that are there */
    struct HieraNode *next; /* of those without any */
    void *below[1 << HIERA_NODE_BITS];
} HieraNode;

typedef struct HieraStableArray {
    size_t item_bytes;
    void *(*memory)(size_t bytes); /* zeroed; NULL: malloc's */
    HieraPiece *free_pieces;
    HieraNode *free_nodes;
    HieraNode *root[1 << HIERA_ROOT_BITS];
} HieraStableArray;

/* The piece of an item, NULL if there is none near it. */
static inline HieraPiece *hiera_stable_piece(const HieraStableArray *array, uint32_t index)
{
    enum { LOW = HIERA_PIECE_BITS, HIGH = LOW + HIERA_NODE_BITS, MASK = (1 << HIERA_NODE_BITS) - 1 };
    const HieraNode *high = __atomic_load_n(&array->root[index >> (HIGH + HIERA_NODE_BITS)], __ATOMIC_ACQUIRE);
    const HieraNode *low = high ? __atomic_load_n(&high->below[index >> HIGH & MASK], __ATOMIC_ACQUIRE) : NULL;
    return low ? __atomic_load_n(&low->below[index >> LOW & MASK], __ATOMIC_ACQUIRE) : NULL;
}

/* The item, zeroed if it was not made; NULL if none near it was. */
static inline void *hiera_stable_at(const HieraStableArray *array, uint32_t index)
{
    HieraPiece *piece = hiera_stable_piece(array, index);
    return piece ? piece->items + (index & ((1u << HIERA_PIECE_BITS) - 1)) * array->item_bytes : NULL;
}

/* The same, made if it is not there: zeroed. NULL without memory. Both of these: one thread at a time. */
void *hiera_stable_make(HieraStableArray *array, uint32_t index);

/* Nobody asks for this item any more. */
void hiera_stable_drop(HieraStableArray *array, uint32_t index);

/* Nobody asks for any: all goes back to where it came from. */
void hiera_stable_free(HieraStableArray *array, void (*give_back)(void *memory, size_t bytes));

#endif
