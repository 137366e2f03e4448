/* An array that grows without moving: read without a lock while another thread adds to it. */
#ifndef HIERA_SHELF_H
#define HIERA_SHELF_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { HIERA_SHELF_FIRST = 128, HIERA_SHELF_BOARDS = 25 };

typedef struct HieraShelf {
    size_t item_bytes;
    char *boards[HIERA_SHELF_BOARDS]; /* the k-th holds FIRST << k items */
} HieraShelf;

static inline unsigned hiera_shelf_board(uint32_t index, uint32_t *within)
{
    uint32_t scaled = index / HIERA_SHELF_FIRST + 1;
    unsigned board = 31u - (unsigned)__builtin_clz(scaled);
    *within = index - HIERA_SHELF_FIRST * ((1u << board) - 1);
    return board;
}

/* The item, or NULL if no item near it was ever made. */
static inline void *hiera_shelf_at(const HieraShelf *shelf, uint32_t index)
{
    uint32_t within;
    unsigned k = hiera_shelf_board(index, &within);
    char *board = __atomic_load_n(&shelf->boards[k], __ATOMIC_ACQUIRE);
    return board ? board + (size_t)within * shelf->item_bytes : NULL;
}

/* The same, zeroed when it is new; NULL without memory. One thread at a time. */
static inline void *hiera_shelf_make(HieraShelf *shelf, uint32_t index)
{
    uint32_t within;
    unsigned k = hiera_shelf_board(index, &within);
    if (!shelf->boards[k]) {
        char *board = calloc((size_t)HIERA_SHELF_FIRST << k, shelf->item_bytes);
        __atomic_store_n(&shelf->boards[k], board, __ATOMIC_RELEASE);
    }
    return hiera_shelf_at(shelf, index);
}

#endif
