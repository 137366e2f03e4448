/* Handle → number, without locks: a chain of hash tables that never move.
 *
 * A key lies within a small window behind its hash, in one of the tables; where no window has room, a larger table is
 * added. Lookups read the windows whole, so that a removal needs no tombstone and threads do not disturb each other.
 * Numbers have room for marks of the one who keeps them. */
#ifndef HIERA_HANDLE_MAP_H
#define HIERA_HANDLE_MAP_H

#include <stdint.h>

enum { HIERA_MAP_WINDOW = 8, HIERA_MAP_TABLES = 24, HIERA_MAP_FIRST = 64 };

typedef struct HieraSlot {
    uint64_t key; /* 0: free, 1: being filled */
    uint64_t value;
} HieraSlot;

typedef struct HieraHandleMap {
    HieraSlot *tables[HIERA_MAP_TABLES]; /* the k-th has (FIRST << k) + WINDOW slots; NULL behind the last */
} HieraHandleMap;

/* The number of a handle, 0 if it has none. */
uint64_t hiera_map_find(const HieraHandleMap *map, uint64_t key);

/* Give a handle a number (not 0) in place of the one it had. Does nothing without memory. The same new handle is not to
 * be put by two threads at once: MPI gives a handle to one caller. */
void hiera_map_put(HieraHandleMap *map, uint64_t key, uint64_t value);

/* Forget a handle; returns its number, 0 if it had none. */
uint64_t hiera_map_take(HieraHandleMap *map, uint64_t key);

/* Give back its tables: nobody uses it any more. NULL is allowed. */
void hiera_map_free(HieraHandleMap *map);

/* Where the number of a handle stands, NULL if it has no place. Where nothing is ever taken, a place stays. */
HieraSlot *hiera_map_slot(const HieraHandleMap *map, uint64_t key);

/* The same; a handle without a place gets one, with number 0. NULL without memory. Only for maps in which nothing is
 * ever put or taken: then threads that ask at once get the same place. */
HieraSlot *hiera_map_make_slot(HieraHandleMap *map, uint64_t key);

#endif
