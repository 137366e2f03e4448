/* A table that processes share: what is known under a number and a key of bytes. Its room is fixed, and nothing is
 * removed from it.
 *
 * It may lie at another address in each process, so it has no pointers. A process may end at any place in here: the
 * lock is then taken from it, and the value that it was changing is marked. */
#ifndef HIERA_SHARED_TABLE_H
#define HIERA_SHARED_TABLE_H

#include "expressions/expression.h"
#include "owner.h"

#include <pthread.h>
#include <stddef.h>

enum { HIERA_SHARED_TEXT = 4096 };

/* Entries that are no variables have these in place of the number of a name. */
#define HIERA_SHARED_LOCKS     UINT32_MAX       /* the key of a lock: who has it */
#define HIERA_SHARED_MEMBERS   (UINT32_MAX - 1) /* processes that have come */
#define HIERA_SHARED_SPOILED   (UINT32_MAX - 2) /* the number of a name whose values are all incomplete */
#define HIERA_SHARED_PUBLISHED (UINT32_MAX - 3) /* a rank: what it has published */
#define HIERA_SHARED_DECISION  (UINT32_MAX - 4) /* what one rank has decided for all (loops/search.h) */

typedef struct HieraSharedEntry {
    uint64_t hash;
    uint32_t name;
    uint32_t key, key_bytes; /* where its bytes begin, and how many they are */
    uint32_t text, room;     /* where a text is, and how long it may become */
    bool is_used;
    bool is_incomplete; /* a process ended while it changed this, or somebody could not do what he wanted with it */
    HieraValue value;   /* of a text the length alone; MISSING: never set */
    HieraOwner owner;   /* of a lock; or the process that this entry tells of */
} HieraSharedEntry;

typedef struct HieraSharedTable {
    pthread_mutex_t mutex;
    uint64_t nonce;    /* of this table alone */
    HieraOwner server; /* has the connections among the owners */
    uint32_t most_entries, most_bytes;
    uint32_t n_entries, n_bytes;
    uint32_t changing;              /* number of the entry that is being changed, from 1; 0: none */
    char joined[HIERA_SHARED_TEXT]; /* of who has the lock */
    HieraSharedEntry entries[];     /* hashed; behind them the bytes of keys and texts */
} HieraSharedTable;

/* What a table of so many bytes needs at least, and can use at most. */
size_t hiera_shared_table_clamp(size_t bytes);

/* Make zeroed memory a table. @return  whether the C library can do it */
bool hiera_shared_table_init(HieraSharedTable *table, size_t bytes);

/* Wait a little, more from turn to turn. @return  false if `timeout` of HIERA_PROBE_OPTIONS has passed since turn 0,
 * which sets *begin_ns */
bool hiera_shared_wait(unsigned turn, int64_t *begin_ns);

/* Take and give back the lock of the table. @return  false if it was not to be had in time */
bool hiera_shared_table_lock(HieraSharedTable *table);
void hiera_shared_table_unlock(HieraSharedTable *table);

/* With the lock: the entry; NULL if there is none, or no room for a new one. */
HieraSharedEntry *hiera_shared_table_find(HieraSharedTable *table, uint32_t name, const void *key, size_t key_bytes,
                                          bool make);

/* The key of an entry. */
const char *hiera_shared_table_key(const HieraSharedTable *table, const HieraSharedEntry *entry);

/* With the lock: the value of an entry, and a new one. A text stays until the lock is given back; HIERA_SHARED_TEXT
 * bytes of it at most are taken, or any number by hiera_shared_table_put(). @return  false if there is no room */
HieraValue hiera_shared_table_get(const HieraSharedTable *table, const HieraSharedEntry *entry);
bool hiera_shared_table_set(HieraSharedTable *table, HieraSharedEntry *entry, HieraValue value);
bool hiera_shared_table_put(HieraSharedTable *table, HieraSharedEntry *entry, const char *text, uint32_t length);

#endif
