/* A table that processes share: what is known under a number and a key of bytes. Its room is fixed, and nothing is removed from it.
 *
 * It may lie at another address in each process, so it has no pointers. A process may end at any place in here: the lock is then
 * taken from it, and `is_incomplete` stays set. */
#ifndef HIERA_SHARED_TABLE_H
#define HIERA_SHARED_TABLE_H

#include "expressions/expression.h"

#include <pthread.h>
#include <stddef.h>

enum { HIERA_SHARED_ENTRIES = 1 << 16, HIERA_SHARED_BYTES = 8 << 20, HIERA_SHARED_TEXT = 4096, HIERA_SHARED_WAIT_S = 1 };

typedef struct HieraSharedEntry {
    uint64_t hash;
    uint32_t name;
    uint32_t key, key_bytes; /* where its bytes begin, and how many they are */
    uint32_t text, room;     /* where a text is, and how long it may become */
    bool is_used;
    HieraValue value; /* of a text the length alone; MISSING: never set */
} HieraSharedEntry;

typedef struct HieraSharedTable {
    pthread_mutex_t mutex;
    bool is_incomplete;  /* a process ended while it had a lock */
    unsigned n_members;  /* processes that have come */
    uint32_t n_entries, n_bytes;
    char joined[HIERA_SHARED_TEXT]; /* of who has the lock */
    HieraSharedEntry entries[HIERA_SHARED_ENTRIES]; /* hashed */
    char bytes[HIERA_SHARED_BYTES];
} HieraSharedTable;

/* Make zeroed memory a table. @return  whether the C library can do it */
bool hiera_shared_table_init(HieraSharedTable *table);

/* Wait a little, more from turn to turn. @return  false if HIERA_SHARED_WAIT_S have passed since turn 0, which sets *begin_ns */
bool hiera_shared_wait(unsigned turn, int64_t *begin_ns);

/* Take and give back the lock of the table. @return  false if it was not to be had in time */
bool hiera_shared_table_lock(HieraSharedTable *table);
void hiera_shared_table_unlock(HieraSharedTable *table);

/* With the lock: the entry; NULL if there is none, or no room for a new one. */
HieraSharedEntry *hiera_shared_table_find(HieraSharedTable *table, uint32_t name, const void *key, size_t key_bytes, bool make);

/* With the lock: the value of an entry, and a new one. A text stays until the lock is given back. @return  false if there is no room */
HieraValue hiera_shared_table_get(const HieraSharedTable *table, const HieraSharedEntry *entry);
bool hiera_shared_table_set(HieraSharedTable *table, HieraSharedEntry *entry, HieraValue value);

#endif
