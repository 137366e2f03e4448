/* See shared_globals.h. */
#include "shared_globals.h"

#include "base/message.h"
#include "base/settings.h"
#include "job/job.h"
#include "shared_file.h"
#include "shared_table.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint32_t of_locks = UINT32_MAX; /* in place of the number of a name */

static HieraSharedTable *current; /* NULL: there is none */
static HieraSharedTable *common;  /* of all ranks here; NULL before it is there */
static uint64_t number;           /* of the file */

/* --- it begins --- */

static bool init(void *memory)
{
    return hiera_shared_table_init(memory);
}

void hiera_globals_load(void)
{
    void *own = mmap(NULL, sizeof *current, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    current = own != MAP_FAILED && init(own) ? own : NULL;
}

/* Jobs have numbers of their own; ranks of one job may have other scripts. */
static uint64_t number_of_job(void)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *at = hiera_settings.probe; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    return hiera_job.id ^ hash;
}

/* What this process has set before is for all, unless another one has set it. With the locks of both. */
static void bring(const HieraSharedTable *own, HieraSharedTable *to)
{
    for (unsigned i = 0; i < HIERA_SHARED_ENTRIES && own->n_entries > 0; i++) {
        const HieraSharedEntry *entry = &own->entries[i];
        if (!entry->is_used || entry->name == of_locks)
            continue;
        HieraSharedEntry *there = hiera_shared_table_find(to, entry->name, own->bytes + entry->key, entry->key_bytes, true);
        if (there && there->value.type == HIERA_VALUE_MISSING)
            hiera_shared_table_set(to, there, hiera_shared_table_get(own, entry));
    }
}

/* Threads that have found the old table see the new one when they have its lock. */
static void change_to(HieraSharedTable *table)
{
    HieraSharedTable *own = current;
    if (!hiera_shared_table_lock(own))
        return;
    if (hiera_shared_table_lock(table)) {
        bring(own, table);
        table->n_members++;
        common = table;
        __atomic_store_n(&current, table, __ATOMIC_RELEASE);
        hiera_shared_table_unlock(table);
    }
    hiera_shared_table_unlock(own);
}

void hiera_globals_join(void)
{
    int error = 0;
    if (!current || common || hiera_job.size <= 1)
        return;
    number = number_of_job();
    if (hiera_job.traced > 0) {
        HieraSharedTable *table = hiera_shared_file_map(number, sizeof *table, init, &error);
        if (table)
            change_to(table);
    }
    if (!common)
        hiera_message("variables and locks of all ranks in the probe script are those of this rank alone: %s",
                      error ? hiera_message_of(error) : "nobody knows which ranks run with Hiera");
}

void hiera_globals_settle(bool says)
{
    if (!common)
        return;
    hiera_shared_file_hide(number);
    unsigned n = __atomic_load_n(&common->n_members, __ATOMIC_RELAXED);
    if (says && n < (unsigned)hiera_job.traced)
        hiera_message("variables and locks of all ranks in the probe script are shared on one computer only: by %u of %d ranks here", n,
                      hiera_job.traced);
}

void hiera_globals_report(void)
{
    if (common && __atomic_exchange_n(&common->is_incomplete, false, __ATOMIC_RELAXED))
        hiera_message("a rank ended while it changed or locked what all ranks share in the probe script: that may be incomplete");
}

/* --- questions --- */

/* @return  NULL if there is none, or its lock is not to be had in time */
static HieraSharedTable *take(void)
{
    for (;;) {
        HieraSharedTable *table = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
        if (!table || !hiera_shared_table_lock(table))
            return NULL;
        if (table == __atomic_load_n(&current, __ATOMIC_ACQUIRE))
            return table;
        hiera_shared_table_unlock(table);
    }
}

static HieraProbeAnswer read_value(const HieraSharedTable *table, const HieraSharedEntry *entry, HieraValue *value, char *room, size_t n)
{
    if (!entry || entry->value.type == HIERA_VALUE_MISSING)
        return HIERA_PROBE_NEVER_SET;
    *value = hiera_shared_table_get(table, entry);
    if (value->type != HIERA_VALUE_TEXT)
        return HIERA_PROBE_DONE;
    if (value->length > n) {
        *value = hiera_value_missing();
        return HIERA_PROBE_NO_ROOM;
    }
    memcpy(room, value->text, value->length);
    value->text = room;
    return HIERA_PROBE_DONE;
}

static HieraProbeAnswer get(void *user, unsigned name, const void *key, size_t key_bytes, HieraValue *value, char *room, size_t n)
{
    (void)user;
    HieraSharedTable *table = take();
    if (!table)
        return HIERA_PROBE_TIMED_OUT;
    HieraProbeAnswer answer = read_value(table, hiera_shared_table_find(table, name, key, key_bytes, false), value, room, n);
    hiera_shared_table_unlock(table);
    return answer;
}

static HieraProbeAnswer change(HieraSharedTable *table, HieraSharedEntry *entry, const HieraProbeScript *script, unsigned name,
                               char operator_, HieraValue by)
{
    if (!entry)
        return HIERA_PROBE_NO_ROOM;
    HieraValue value = hiera_probe_script_apply(script, name, operator_, hiera_shared_table_get(table, entry), by, table->joined,
                                                sizeof table->joined);
    if (value.type == HIERA_VALUE_MISSING)
        return by.type == HIERA_VALUE_TEXT ? HIERA_PROBE_NO_ROOM : HIERA_PROBE_DONE;
    return hiera_shared_table_set(table, entry, value) ? HIERA_PROBE_DONE : HIERA_PROBE_NO_ROOM;
}

static HieraProbeAnswer update(void *user, unsigned name, const void *key, size_t key_bytes, char operator_, HieraValue by)
{
    HieraSharedTable *table = take();
    if (!table)
        return HIERA_PROBE_TIMED_OUT;
    HieraProbeAnswer answer =
        change(table, hiera_shared_table_find(table, name, key, key_bytes, true), user, name, operator_, by);
    hiera_shared_table_unlock(table);
    return answer;
}

/* --- locks --- */

/* Who has a lock: process and thread. */
static int64_t own_number(void)
{
    return (int64_t)getpid() << 32 | (int64_t)syscall(SYS_gettid);
}

static bool is_dead(int64_t owner)
{
    return kill((pid_t)(owner >> 32), 0) != 0 && errno == ESRCH;
}

/* @return  TIMED_OUT: somebody else has it */
static HieraProbeAnswer try_lock(HieraSharedTable *table, const void *key, size_t key_bytes)
{
    HieraSharedEntry *entry = hiera_shared_table_find(table, of_locks, key, key_bytes, true);
    if (!entry)
        return HIERA_PROBE_NO_ROOM;
    int64_t owner = entry->value.type == HIERA_VALUE_INTEGER ? entry->value.integer : 0;
    if (owner != 0 && !is_dead(owner))
        return HIERA_PROBE_TIMED_OUT;
    if (owner != 0)
        table->is_incomplete = true;
    entry->value = hiera_value_integer(own_number());
    return HIERA_PROBE_DONE;
}

static HieraProbeAnswer lock(void *user, const void *key, size_t key_bytes)
{
    int64_t begin_ns;
    (void)user;
    for (unsigned turn = 0;; turn++) {
        HieraSharedTable *table = take();
        if (!table)
            return HIERA_PROBE_TIMED_OUT;
        HieraProbeAnswer answer = try_lock(table, key, key_bytes);
        hiera_shared_table_unlock(table);
        if (answer != HIERA_PROBE_TIMED_OUT || !hiera_shared_wait(turn, &begin_ns))
            return answer;
    }
}

static void unlock(void *user, const void *key, size_t key_bytes)
{
    (void)user;
    HieraSharedTable *table = take();
    if (!table)
        return;
    HieraSharedEntry *entry = hiera_shared_table_find(table, of_locks, key, key_bytes, false);
    if (entry && entry->value.type == HIERA_VALUE_INTEGER && entry->value.integer == own_number())
        entry->value = hiera_value_integer(0);
    hiera_shared_table_unlock(table);
}

const HieraProbeGlobals hiera_shared_globals = {.get = get, .update = update, .lock = lock, .unlock = unlock};
