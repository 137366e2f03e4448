/* Locks in a table that ranks share. Their entries have the owner, and the next owner.
 *
 * No function waits: a thread that does not get a lock asks again. A thread that releases a lock and wants it again at
 * once would always win, so a released lock is reserved for the thread that has waited longest, as long as it keeps
 * asking. */
#pragma once

#include "probes/probes.h"
#include "shared_table.h"

/* Answer, besides those of HieraProbeAnswer: another thread owns the lock, or the lock is reserved for it. */
enum { HIERA_PROBE_BUSY = 100 };

/* A thread, or a connection of the server, that asks for a lock. */
typedef struct HieraLockAsker {
    HieraOwner owner;
    int64_t waited_ns; /* time since it asked for the first time */
    bool looks;        /* whether to check that the present owner is alive, which takes a while */
} HieraLockAsker;

/* Try to take a lock. Requires the table's lock. `entry` NULL: the table is full. @return  DONE, NO_ROOM or BUSY */
int hiera_shared_lock_take(HieraSharedTable *table, HieraSharedEntry *entry, const HieraLockAsker *asker);
/* Release a lock if `owner` owns it. @return  whether that was so */
bool hiera_shared_lock_give(HieraSharedEntry *entry, const HieraOwner *owner);

/* Free the locks of a server's connection that has ended, and mark what they protect as incomplete. */
void hiera_shared_locks_forget(HieraSharedTable *table, int32_t connection);
