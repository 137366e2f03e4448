/* See shared_table.h. */
#include "shared_table.h"

#include "base/clock.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <time.h>

enum { TURNS = 100, SLEEP_NS = 50000, LEAST_TEXT = 64 };

bool hiera_shared_table_init(HieraSharedTable *table)
{
    pthread_mutexattr_t how;
    if (pthread_mutexattr_init(&how) != 0)
        return false;
    bool good = pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED) == 0 &&
                pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST) == 0 && pthread_mutex_init(&table->mutex, &how) == 0;
    pthread_mutexattr_destroy(&how);
    return good;
}

bool hiera_shared_wait(unsigned turn, int64_t *begin_ns)
{
    const struct timespec nap = {.tv_nsec = SLEEP_NS};
    int64_t now_ns = (int64_t)hiera_clock_monotonic_ns();
    if (turn == 0)
        *begin_ns = now_ns;
    if (now_ns - *begin_ns > HIERA_SHARED_WAIT_S * INT64_C(1000000000))
        return false;
    if (turn < TURNS)
        sched_yield();
    else
        nanosleep(&nap, NULL);
    return true;
}

/* It is tried again and again, because the C library waits by a clock that can be set. */
bool hiera_shared_table_lock(HieraSharedTable *table)
{
    int64_t begin_ns;
    int error = pthread_mutex_trylock(&table->mutex);
    for (unsigned turn = 0; error == EBUSY && hiera_shared_wait(turn, &begin_ns); turn++)
        error = pthread_mutex_trylock(&table->mutex);
    if (error == EOWNERDEAD) {
        table->is_incomplete = true;
        error = pthread_mutex_consistent(&table->mutex);
    }
    return error == 0;
}

void hiera_shared_table_unlock(HieraSharedTable *table)
{
    pthread_mutex_unlock(&table->mutex);
}

static uint64_t hash_of(uint32_t name, const unsigned char *key, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325u ^ name;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ key[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

/* @return  where `n` bytes begin; HIERA_SHARED_BYTES: there is no room */
static uint32_t take_bytes(HieraSharedTable *table, size_t n)
{
    uint32_t at = table->n_bytes;
    if (n > HIERA_SHARED_BYTES - 1 - at)
        return HIERA_SHARED_BYTES;
    table->n_bytes += (uint32_t)n;
    return at;
}

/* It is used when all of it is there. */
static HieraSharedEntry *fill(HieraSharedTable *table, HieraSharedEntry *entry, uint64_t hash, uint32_t name, const void *key, size_t n)
{
    uint32_t at = table->n_entries < HIERA_SHARED_ENTRIES / 4 * 3 ? take_bytes(table, n) : HIERA_SHARED_BYTES;
    if (at == HIERA_SHARED_BYTES)
        return NULL;
    if (n > 0)
        memcpy(table->bytes + at, key, n);
    *entry = (HieraSharedEntry){.hash = hash, .name = name, .key = at, .key_bytes = (uint32_t)n};
    table->n_entries++;
    __atomic_store_n(&entry->is_used, true, __ATOMIC_RELEASE);
    return entry;
}

HieraSharedEntry *hiera_shared_table_find(HieraSharedTable *table, uint32_t name, const void *key, size_t key_bytes, bool make)
{
    uint64_t hash = hash_of(name, key, key_bytes);
    uint32_t at = (uint32_t)hash & (HIERA_SHARED_ENTRIES - 1);
    for (;; at = (at + 1) & (HIERA_SHARED_ENTRIES - 1)) {
        HieraSharedEntry *entry = &table->entries[at];
        if (!entry->is_used)
            return make ? fill(table, entry, hash, name, key, key_bytes) : NULL;
        if (entry->hash == hash && entry->name == name && entry->key_bytes == key_bytes &&
            (key_bytes == 0 || memcmp(table->bytes + entry->key, key, key_bytes) == 0))
            return entry;
    }
}

HieraValue hiera_shared_table_get(const HieraSharedTable *table, const HieraSharedEntry *entry)
{
    HieraValue value = entry->value;
    if (value.type == HIERA_VALUE_TEXT)
        value.text = table->bytes + entry->text;
    return value;
}

/* Room for a text: twice as much each time, since the old room is lost. */
static bool make_room(HieraSharedTable *table, HieraSharedEntry *entry, uint32_t length)
{
    uint32_t room = LEAST_TEXT;
    while (room < length)
        room *= 2;
    uint32_t at = take_bytes(table, room);
    if (at == HIERA_SHARED_BYTES)
        return false;
    entry->text = at;
    entry->room = room;
    return true;
}

bool hiera_shared_table_set(HieraSharedTable *table, HieraSharedEntry *entry, HieraValue value)
{
    if (value.type == HIERA_VALUE_TEXT) {
        if (value.length > HIERA_SHARED_TEXT || (value.length > entry->room && !make_room(table, entry, value.length)))
            return false;
        if (value.length > 0)
            memmove(table->bytes + entry->text, value.text, value.length);
    }
    entry->value = value;
    return true;
}
