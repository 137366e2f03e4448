/* A table that processes share: values by a number and a key of bytes. Its size is fixed, and nothing is
 * removed from it.
 *
 * It may lie at another address in each process, so it has no pointers. A process may end at any point in this code:
 * its lock of the table is then taken over, and the value that it was changing is marked. */
#pragma once

#include "expressions/expression.h"
#include "owner.h"

#include <pthread.h>
#include <stddef.h>

enum { HIERA_SHARED_TEXT = 4096 };

/* Values of HieraSharedEntry.name that are not the number of a variable's name. */
#define HIERA_SHARED_LOCKS     UINT32_MAX       /* a lock: its key is that of global_lock(), and `owner` is set */
#define HIERA_SHARED_MEMBERS   (UINT32_MAX - 1) /* a process that has opened the table, as key and owner */
#define HIERA_SHARED_SPOILED   (UINT32_MAX - 2) /* its key is the number of a name; all of its values are incomplete */
#define HIERA_SHARED_PUBLISHED (UINT32_MAX - 3) /* its key is a rank; its text is what this rank has published */
#define HIERA_SHARED_DECISION  (UINT32_MAX - 4) /* the text is a decision of one rank for all (loops/search.h) */

typedef struct HieraSharedEntry {
    uint64_t hash;
    uint32_t name;
    uint32_t key, key_bytes; /* offset and length of the entry's key */
    uint32_t text, room;     /* offset of the value's text, and bytes reserved for the text */
    bool is_used;
    bool is_incomplete; /* whether a process ended while it changed the entry or owned the lock, or a change failed */
    HieraValue value;   /* the value, of a text only the length; MISSING: the value was never set */
    HieraOwner owner;   /* who owns this lock; or the process that this entry is about */
} HieraSharedEntry;

typedef struct HieraSharedTable {
    pthread_mutex_t mutex;
    uint64_t nonce;    /* random number that identifies this table */
    HieraOwner server; /* thread of the server, which serves the connections that own locks */
    uint32_t most_entries, most_bytes;
    uint32_t n_entries, n_bytes;
    uint32_t changing;              /* 1 + index of the entry that is being changed; 0: none */
    char joined[HIERA_SHARED_TEXT]; /* buffer for a concatenated text; belongs to the thread that has the lock */
    HieraSharedEntry entries[];     /* hash table of entries; keys and texts follow it in memory */
} HieraSharedTable;

/* Return `bytes`, but not less than a table needs, nor more than it can use. */
size_t hiera_shared_table_clamp(size_t bytes);

/* Initialise a table in zeroed memory. @return  false if the C library lacks the needed kind of lock */
bool hiera_shared_table_init(HieraSharedTable *table, size_t bytes);

/* Wait a little between two attempts; longer after many. @return  false if `timeout` of HIERA_PROBE_OPTIONS has passed
 * since turn 0, which sets *begin_ns */
bool hiera_shared_wait(unsigned turn, int64_t *begin_ns);

/* Take, and release, the table's lock. @return  false if the lock was not free within `timeout` */
bool hiera_shared_table_lock(HieraSharedTable *table);
void hiera_shared_table_unlock(HieraSharedTable *table);

/* Find an entry, or add one if `make`. Requires the table's lock. NULL: there is none, or no room for it. */
HieraSharedEntry *hiera_shared_table_find(HieraSharedTable *table, uint32_t name, const void *key, size_t key_bytes,
                                          bool make);

/* Return the key of an entry. */
const char *hiera_shared_table_key(const HieraSharedTable *table, const HieraSharedEntry *entry);

/* Get or set the value of an entry. Requires the lock. A returned text is valid until the lock is released; at most
 * HIERA_SHARED_TEXT bytes of a new text are stored, or any number by hiera_shared_table_put(). @return  false if there
 * is no room */
HieraValue hiera_shared_table_get(const HieraSharedTable *table, const HieraSharedEntry *entry);
bool hiera_shared_table_set(HieraSharedTable *table, HieraSharedEntry *entry, HieraValue value);
bool hiera_shared_table_put(HieraSharedTable *table, HieraSharedEntry *entry, const char *text, uint32_t length);
