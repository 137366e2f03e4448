/* An array whose items never move and whose unused parts are used again. One thread may add items while others read
 * without a lock.
 *
 * Items are in pieces of 64, and two levels of nodes lead to the pieces. An empty piece is used again for other
 * numbers, but its memory is not freed: a thread that reads an item too late finds nothing or another item, which is
 * harmless. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { HIERA_PIECE_BITS = 6, HIERA_NODE_BITS = 9, HIERA_ROOT_BITS = 32 - HIERA_PIECE_BITS - 2 * HIERA_NODE_BITS };

typedef struct HieraStablePiece {
    uint64_t used;                 /* bit i: item i of the piece exists */
    struct HieraStablePiece *next; /* next in the array's list of empty pieces */
    char items[];
} HieraStablePiece;

typedef struct HieraNode {
    uint32_t n;             /* number of entries of `below` that are not NULL */
    struct HieraNode *next; /* next in the array's list of empty nodes */
    void *below[1 << HIERA_NODE_BITS];
} HieraNode;

typedef struct HieraStableArray {
    size_t item_bytes;
    void *(*memory)(size_t bytes); /* allocates zeroed memory; NULL: calloc is used */
    HieraStablePiece *free_pieces;
    HieraNode *free_nodes;
    HieraNode *root[1 << HIERA_ROOT_BITS];
} HieraStableArray;

/* Return the piece (64 items) that contains item `index`; NULL if the piece does not exist. */
static inline HieraStablePiece *hiera_stable_piece(const HieraStableArray *array, uint32_t index)
{
    enum { LOW = HIERA_PIECE_BITS, HIGH = LOW + HIERA_NODE_BITS, MASK = (1 << HIERA_NODE_BITS) - 1 };
    const HieraNode *high = __atomic_load_n(&array->root[index >> (HIGH + HIERA_NODE_BITS)], __ATOMIC_ACQUIRE);
    const HieraNode *low = high ? __atomic_load_n(&high->below[index >> HIGH & MASK], __ATOMIC_ACQUIRE) : NULL;
    return low ? __atomic_load_n(&low->below[index >> LOW & MASK], __ATOMIC_ACQUIRE) : NULL;
}

/* Return the address of item `index`, whose bytes are zero if it was not made; NULL if its piece does not exist. */
static inline void *hiera_stable_at(const HieraStableArray *array, uint32_t index)
{
    HieraStablePiece *piece = hiera_stable_piece(array, index);
    return piece ? piece->items + (index & ((1u << HIERA_PIECE_BITS) - 1)) * array->item_bytes : NULL;
}

/* Make an item, zeroed, unless it exists. NULL if there is no memory. Only one thread at a time may make and drop
 * items. */
void *hiera_stable_make(HieraStableArray *array, uint32_t index);

/* Remove item `index`, if it exists. Its memory is used again later. */
void hiera_stable_drop(HieraStableArray *array, uint32_t index);

/* Free all memory of the array with `give_back`. */
void hiera_stable_free(HieraStableArray *array, void (*give_back)(void *memory, size_t bytes));
