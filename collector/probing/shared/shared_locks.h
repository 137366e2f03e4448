/* Locks in a table that ranks share. Their entries have who holds them, and whose turn is next.
 *
 * Nobody sleeps in here: who does not get a lock asks again. Who gives one back and wants it again at once would be the
 * only one to get it then, so it is kept for who has waited longest, as long as he asks. */
#ifndef HIERA_SHARED_LOCKS_H
#define HIERA_SHARED_LOCKS_H

#include "probes/probes.h"
#include "shared_table.h"

/* Besides HieraProbeAnswer: another thread has the lock, or its turn. */
enum { HIERA_PROBE_BUSY = 100 };

/* Who asks for a lock. */
typedef struct HieraLockAsker {
    HieraOwner owner;
    int64_t waited_ns; /* since it asked first */
    bool looks;        /* whether the owner is alive; that takes a while */
} HieraLockAsker;

/* With the lock of the table. `entry` NULL: there is no room. @return  DONE, NO_ROOM or BUSY */
int hiera_shared_lock_take(HieraSharedTable *table, HieraSharedEntry *entry, const HieraLockAsker *asker);
/* @return  whether it was its own */
bool hiera_shared_lock_give(HieraSharedEntry *entry, const HieraOwner *owner);

/* A connection of the server has ended, so its locks are free. */
void hiera_shared_locks_forget(HieraSharedTable *table, int32_t connection);

#endif
