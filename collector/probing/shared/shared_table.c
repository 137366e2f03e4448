#include "shared_table.h"

#include "base/clock.h"
#include "base/settings.h"
#include "text/hash.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 100, SLEEP_NS = 50000, LEAST_TEXT = 64, LEAST_BYTES = 64 << 10, MOST_BYTES = 1 << 30 };

static const uint32_t no_room = UINT32_MAX;

size_t hiera_shared_table_clamp(size_t bytes)
{
    if (bytes < LEAST_BYTES)
        return LEAST_BYTES;
    return bytes > MOST_BYTES ? MOST_BYTES : bytes;
}

/* Use at most two fifths of the table for entries, so that their number is a power of two; the rest for bytes. */
static void divide(HieraSharedTable *table, size_t bytes)
{
    size_t left = bytes - sizeof *table, n = 64;
    while (2 * n * sizeof *table->entries <= left / 5 * 2)
        n *= 2;
    table->most_entries = (uint32_t)n;
    table->most_bytes = (uint32_t)(left - n * sizeof *table->entries);
}

static uint64_t find_nonce(void)
{
    uint64_t nonce = 0;
    if (getrandom(&nonce, sizeof nonce, GRND_NONBLOCK) != sizeof nonce)
        nonce = hiera_clock_monotonic_ns() ^ (uint64_t)getpid() << 40;
    return nonce | 1; /* never 0, which stands for no table */
}

bool hiera_shared_table_init(HieraSharedTable *table, size_t bytes)
{
    pthread_mutexattr_t how;
    if (pthread_mutexattr_init(&how) != 0)
        return false;
    bool good = pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED) == 0 &&
                pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST) == 0 &&
                pthread_mutex_init(&table->mutex, &how) == 0;
    pthread_mutexattr_destroy(&how);
    divide(table, bytes);
    table->nonce = find_nonce();
    return good;
}

bool hiera_shared_wait(unsigned turn, int64_t *begin_ns)
{
    const struct timespec nap = {.tv_nsec = SLEEP_NS};
    int64_t now_ns = (int64_t)hiera_clock_monotonic_ns();
    if (turn == 0)
        *begin_ns = now_ns;
    if (now_ns - *begin_ns > (int64_t)hiera_settings.probe_timeout_ns)
        return false;
    if (turn < TURNS)
        sched_yield();
    else
        nanosleep(&nap, NULL);
    return true;
}

/* Mark as incomplete the entry that a process was changing when it ended; it had the table's lock. */
static void mark(HieraSharedTable *table)
{
    if (table->changing > 0 && table->changing <= table->most_entries) {
        HieraSharedEntry *entry = &table->entries[table->changing - 1];
        entry->is_incomplete = true;
        if (entry->name == HIERA_SHARED_PUBLISHED)
            entry->value.length = 0; /* a published text that was partly written becomes empty */
    }
    table->changing = 0;
}

/* Take the lock by asking again and again: the C library would measure the timeout by a clock that can be set. */
bool hiera_shared_table_lock(HieraSharedTable *table)
{
    int64_t begin_ns;
    int error = pthread_mutex_trylock(&table->mutex);
    for (unsigned turn = 0; error == EBUSY && hiera_shared_wait(turn, &begin_ns); turn++)
        error = pthread_mutex_trylock(&table->mutex);
    if (error == EOWNERDEAD) {
        mark(table);
        error = pthread_mutex_consistent(&table->mutex);
    }
    return error == 0;
}

void hiera_shared_table_unlock(HieraSharedTable *table)
{
    pthread_mutex_unlock(&table->mutex);
}

static char *bytes_of(HieraSharedTable *table)
{
    return (char *)(table->entries + table->most_entries);
}

const char *hiera_shared_table_key(const HieraSharedTable *table, const HieraSharedEntry *entry)
{
    return (const char *)(table->entries + table->most_entries) + entry->key;
}

static uint64_t hash_of(uint32_t name, const unsigned char *key, size_t n)
{
    uint64_t hash = hiera_hash_bytes(HIERA_HASH_BEGIN ^ name, key, n);
    return hash ^ hash >> 29;
}

/* Reserve n bytes for a key or text. @return  their offset, or `no_room` */
static uint32_t take_bytes(HieraSharedTable *table, size_t n)
{
    uint32_t at = table->n_bytes;
    if (n > table->most_bytes - at)
        return no_room;
    table->n_bytes += (uint32_t)n;
    return at;
}

/* Make a new entry. `is_used` is set last, so that no process finds an incomplete entry. */
static HieraSharedEntry *fill(HieraSharedTable *table, HieraSharedEntry *entry, uint64_t hash, uint32_t name,
                              const void *key, size_t n)
{
    uint32_t at = table->n_entries < table->most_entries / 4 * 3 ? take_bytes(table, n) : no_room;
    if (at == no_room)
        return NULL;
    if (n > 0)
        memcpy(bytes_of(table) + at, key, n);
    *entry = (HieraSharedEntry){.hash = hash, .name = name, .key = at, .key_bytes = (uint32_t)n};
    table->n_entries++;
    __atomic_store_n(&entry->is_used, true, __ATOMIC_RELEASE);
    return entry;
}

HieraSharedEntry *hiera_shared_table_find(HieraSharedTable *table, uint32_t name, const void *key, size_t key_bytes,
                                          bool make)
{
    uint64_t hash = hash_of(name, key, key_bytes);
    uint32_t at = (uint32_t)hash & (table->most_entries - 1);
    for (;; at = (at + 1) & (table->most_entries - 1)) {
        HieraSharedEntry *entry = &table->entries[at];
        if (!entry->is_used)
            return make ? fill(table, entry, hash, name, key, key_bytes) : NULL;
        if (entry->hash == hash && entry->name == name && entry->key_bytes == key_bytes &&
            (key_bytes == 0 || memcmp(bytes_of(table) + entry->key, key, key_bytes) == 0))
            return entry;
    }
}

HieraValue hiera_shared_table_get(const HieraSharedTable *table, const HieraSharedEntry *entry)
{
    HieraValue value = entry->value;
    if (value.type == HIERA_VALUE_TEXT)
        value.text = (const char *)(table->entries + table->most_entries) + entry->text;
    return value;
}

/* Make room for a text, up to twice what it needs, because the old room is never used again. */
static bool make_room(HieraSharedTable *table, HieraSharedEntry *entry, uint32_t length)
{
    uint32_t room = LEAST_TEXT;
    while (room < length && room < MOST_BYTES)
        room *= 2;
    uint32_t at = take_bytes(table, room);
    if (at == no_room)
        return false;
    entry->text = at;
    entry->room = room;
    return true;
}

bool hiera_shared_table_put(HieraSharedTable *table, HieraSharedEntry *entry, const char *text, uint32_t length)
{
    __atomic_store_n(&table->changing, (uint32_t)(entry - table->entries) + 1, __ATOMIC_SEQ_CST);
    bool good = length <= entry->room || make_room(table, entry, length);
    if (good && length > 0)
        memmove(bytes_of(table) + entry->text, text, length);
    if (good)
        entry->value = hiera_value_text(NULL, length);
    __atomic_store_n(&table->changing, 0, __ATOMIC_SEQ_CST);
    return good;
}

bool hiera_shared_table_set(HieraSharedTable *table, HieraSharedEntry *entry, HieraValue value)
{
    if (value.type == HIERA_VALUE_TEXT)
        return value.length <= HIERA_SHARED_TEXT && hiera_shared_table_put(table, entry, value.text, value.length);
    __atomic_store_n(&table->changing, (uint32_t)(entry - table->entries) + 1, __ATOMIC_SEQ_CST);
    entry->value = value;
    __atomic_store_n(&table->changing, 0, __ATOMIC_SEQ_CST);
    return true;
}
