/* Locks in a table that ranks share. Their entries have the owner, and the next owner.
 *
 * No function waits: a thread that does not get a lock asks again. A thread that releases a lock and wants it again at
 * once would always win, so a released lock is reserved for the thread that has waited longest, as long as it keeps
 * asking. */
#pragma once

#include "probes/probes.h"
#include "shared_table.h"

/* In addition to HieraProbeAnswer: another thread owns the lock, or has its turn. */
enum { HIERA_PROBE_BUSY = 100 };

/* A thread or connection that asks for a lock. */
typedef struct HieraLockAsker {
    HieraOwner owner;
    int64_t waited_ns; /* time since its first request */
    bool looks;        /* true to check whether the owner is alive, which takes a while */
} HieraLockAsker;

/* Take a lock. Requires the lock of the table. `entry` NULL: there is no room. @return  DONE, NO_ROOM or BUSY */
int hiera_shared_lock_take(HieraSharedTable *table, HieraSharedEntry *entry, const HieraLockAsker *asker);
/* Release a lock. @return  whether `owner` owned it */
bool hiera_shared_lock_give(HieraSharedEntry *entry, const HieraOwner *owner);

/* A connection of the server has ended: free its locks. */
void hiera_shared_locks_forget(HieraSharedTable *table, int32_t connection);
