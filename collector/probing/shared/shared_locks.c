#include "shared_locks.h"

#include "base/clock.h"

#include <string.h>

enum {
    PATIENCE_NS = 2000000 /* a thread for which a lock is reserved loses it if it does not ask again for so long */
};

/* For whom a lock is reserved when it becomes free. Stored as text of the entry once two threads want the lock. */
typedef struct Turn {
    HieraOwner owner;
    int64_t since_ns, seen_ns; /* when this thread first asked, and last asked */
} Turn;

static Turn find_turn(const HieraSharedTable *table, const HieraSharedEntry *entry)
{
    Turn turn = {.owner = {0}};
    if (entry->value.type == HIERA_VALUE_TEXT)
        memcpy(&turn, hiera_shared_table_get(table, entry).text, sizeof turn);
    return turn;
}

/* Store for whom the lock is reserved. If the table has no room for that, the lock is never reserved. */
static void set_turn(HieraSharedTable *table, HieraSharedEntry *entry, const Turn *turn)
{
    hiera_shared_table_put(table, entry, (const char *)turn, sizeof *turn);
}

int hiera_shared_lock_take(HieraSharedTable *table, HieraSharedEntry *entry, const HieraLockAsker *asker)
{
    if (!entry)
        return HIERA_PROBE_NO_ROOM;
    int64_t now_ns = (int64_t)hiera_clock_monotonic_ns(), since_ns = now_ns - asker->waited_ns;
    Turn turn = find_turn(table, entry);
    bool is_next = hiera_owner_is(&turn.owner, &asker->owner);
    bool waits = turn.owner.process != 0 && now_ns >= turn.seen_ns && now_ns - turn.seen_ns < PATIENCE_NS;
    /* A connection's lock is freed when the server sees that the connection has ended; only the server may be dead. */
    bool is_free = entry->owner.process == 0 ||
                   (asker->looks && hiera_owner_is_dead(entry->owner.process < 0 ? &table->server : &entry->owner));
    if (is_free && (is_next || !waits)) {
        entry->is_incomplete = entry->is_incomplete || entry->owner.process != 0;
        entry->owner = asker->owner;
        if (turn.owner.process != 0)
            set_turn(table, entry, &(Turn){.owner = {0}});
        return HIERA_PROBE_DONE;
    }
    if (is_next || !waits || since_ns < turn.since_ns)
        set_turn(table, entry, &(Turn){asker->owner, since_ns, now_ns});
    return HIERA_PROBE_BUSY;
}

bool hiera_shared_lock_give(HieraSharedEntry *entry, const HieraOwner *owner)
{
    bool is_own = entry && hiera_owner_is(&entry->owner, owner);
    if (is_own)
        entry->owner.process = 0;
    return is_own;
}

void hiera_shared_locks_forget(HieraSharedTable *table, int32_t connection)
{
    for (uint32_t i = 0; i < table->most_entries; i++) {
        HieraSharedEntry *entry = &table->entries[i];
        if (!entry->is_used || entry->name != HIERA_SHARED_LOCKS || entry->owner.process != connection)
            continue;
        entry->is_incomplete = true;
        entry->owner.process = 0;
    }
}
