#include "stable_array.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LOW = HIERA_PIECE_BITS, HIGH = LOW + HIERA_NODE_BITS, ROOT = HIGH + HIERA_NODE_BITS };

static void **slot_of(HieraNode *node, uint32_t index, unsigned shift)
{
    return &node->below[index >> shift & ((1u << HIERA_NODE_BITS) - 1)];
}

static uint64_t bit_of(uint32_t index)
{
    return UINT64_C(1) << (index & ((1u << HIERA_PIECE_BITS) - 1));
}

static size_t bytes_of_piece(const HieraStableArray *array)
{
    return sizeof(HieraStablePiece) + (array->item_bytes << HIERA_PIECE_BITS);
}

static void *memory(const HieraStableArray *array, size_t bytes)
{
    return array->memory ? array->memory(bytes) : calloc(1, bytes);
}

static HieraNode *new_node(HieraStableArray *array)
{
    HieraNode *node = array->free_nodes;
    if (!node)
        return memory(array, sizeof *node);
    array->free_nodes = node->next;
    return node;
}

static HieraStablePiece *new_piece(HieraStableArray *array)
{
    HieraStablePiece *piece = array->free_pieces;
    if (!piece)
        return memory(array, bytes_of_piece(array));
    array->free_pieces = piece->next;
    return piece;
}

/* Link a new entry below a node; NULL: no memory. An empty node that is left then does no harm. */
static void *link_below(HieraNode *node, void **slot, void *made)
{
    if (made) {
        node->n++;
        __atomic_store_n(slot, made, __ATOMIC_RELEASE);
    }
    return made;
}

static HieraStablePiece *make_piece(HieraStableArray *array, uint32_t index)
{
    HieraNode **root = &array->root[index >> ROOT];
    if (!*root)
        __atomic_store_n(root, new_node(array), __ATOMIC_RELEASE);
    if (!*root)
        return NULL;
    void **high = slot_of(*root, index, HIGH);
    HieraNode *node = *high ? *high : link_below(*root, high, new_node(array));
    if (!node)
        return NULL;
    void **low = slot_of(node, index, LOW);
    return *low ? *low : link_below(node, low, new_piece(array));
}

void *hiera_stable_make(HieraStableArray *array, uint32_t index)
{
    HieraStablePiece *piece = make_piece(array, index);
    if (!piece)
        return NULL;
    piece->used |= bit_of(index);
    return hiera_stable_at(array, index);
}

/* Remove an entry below a node. Returns whether the node has no entries now. */
static bool unlink_below(HieraNode *node, void **slot)
{
    __atomic_store_n(slot, NULL, __ATOMIC_RELEASE);
    return --node->n == 0;
}

static void give_back_node(HieraStableArray *array, HieraNode *node)
{
    node->next = array->free_nodes;
    array->free_nodes = node;
}

static void drop_piece(HieraStableArray *array, uint32_t index, HieraStablePiece *piece)
{
    HieraNode **root = &array->root[index >> ROOT];
    void **high = slot_of(*root, index, HIGH);
    HieraNode *node = *high;
    if (unlink_below(node, slot_of(node, index, LOW))) {
        bool is_last = unlink_below(*root, high);
        give_back_node(array, node);
        if (is_last) {
            HieraNode *top = *root;
            __atomic_store_n(root, NULL, __ATOMIC_RELEASE);
            give_back_node(array, top);
        }
    }
    piece->next = array->free_pieces;
    array->free_pieces = piece;
}

void hiera_stable_drop(HieraStableArray *array, uint32_t index)
{
    HieraStablePiece *piece = hiera_stable_piece(array, index);
    if (!piece || !(piece->used & bit_of(index)))
        return;
    memset(hiera_stable_at(array, index), 0, array->item_bytes);
    piece->used &= ~bit_of(index);
    if (piece->used == 0)
        drop_piece(array, index, piece);
}

/* Free a node with all nodes and pieces below it. */
static void free_node(const HieraStableArray *array, HieraNode *node, unsigned level, void (*give)(void *, size_t))
{
    for (size_t i = 0; i < sizeof node->below / sizeof *node->below; i++)
        if (node->below[i] && level > 0)
            free_node(array, node->below[i], level - 1, give);
        else if (node->below[i])
            give(node->below[i], bytes_of_piece(array));
    give(node, sizeof *node);
}

void hiera_stable_free(HieraStableArray *array, void (*give_back)(void *memory, size_t bytes))
{
    for (size_t i = 0; i < sizeof array->root / sizeof *array->root; i++)
        if (array->root[i])
            free_node(array, array->root[i], 1, give_back);
    for (HieraNode *node; (node = array->free_nodes); give_back(node, sizeof *node))
        array->free_nodes = node->next;
    for (HieraStablePiece *piece; (piece = array->free_pieces); give_back(piece, bytes_of_piece(array)))
        array->free_pieces = piece->next;
    memset(array->root, 0, sizeof array->root);
}
