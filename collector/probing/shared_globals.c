#include "shared_globals.h"

#include "base/clock.h"
#include "base/message.h"
#include "base/settings.h"
#include "globals_client.h"
#include "globals_server.h"
#include "job/job.h"
#include "probed.h"
#include "probing/shared/shared_file.h"
#include "probing/shared/shared_locks.h"
#include "probing/shared/shared_questions.h"
#include "probing/shared/stale_files.h"
#include "text/hash.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { LOOK_AFTER = 32 /* how many attempts to take a lock come before each check that its owner is alive */ };

static HieraSharedTable *current; /* table that this process uses; NULL: it shares nothing */
static HieraSharedTable *mapped;  /* table in the file that ranks of this computer share; NULL: not mapped */
static bool is_remote;            /* whether the table is in another process, which is asked by TCP */
static bool has_variables; /* whether a script has shared variables; else only decisions of HIERA_SEARCH are shared */
static size_t table_bytes;

/* --- the table of shared variables that this process uses --- */

void hiera_globals_load(bool has_script)
{
    has_variables |= has_script;
    if (current && !has_script)
        return;
    table_bytes = hiera_shared_table_clamp(has_variables ? hiera_settings.probe_shared : 0);
    void *own = mmap(NULL, table_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    current = own != MAP_FAILED && hiera_shared_table_init(own, table_bytes) ? own : NULL;
}

const char *hiera_globals_what(void)
{
    return has_variables ? "variables and locks of the probe script" : "what HIERA_SEARCH decides";
}

/* The number is made of job and script: jobs share no variables, nor do ranks with different scripts. */
uint64_t hiera_globals_number(void)
{
    uint64_t hash = hiera_hash_text(HIERA_HASH_BEGIN, hiera_settings.probe);
    return current ? (hiera_job.id ^ hash) | 1 : 0;
}

/* List this process as a user of the table, so that others can see that the file is not stale (stale_files.h). */
static void note_member(HieraSharedTable *table)
{
    HieraOwner here = hiera_owner_here();
    HieraSharedEntry *entry = hiera_shared_table_find(table, HIERA_SHARED_MEMBERS, &here, sizeof here, true);
    if (entry)
        entry->owner = here;
}

static bool init(void *memory, size_t bytes)
{
    bool good = hiera_shared_table_init(memory, bytes);
    if (good)
        note_member(memory);
    return good;
}

uint64_t hiera_globals_map(void)
{
    int error;
    if (hiera_settings.probe_shared > 0 || !has_variables)
        mapped = hiera_shared_file_map(hiera_globals_number(), table_bytes, init, hiera_stale_table, &error);
    if (mapped && hiera_shared_table_lock(mapped)) {
        note_member(mapped);
        hiera_shared_table_unlock(mapped);
    }
    return mapped ? mapped->nonce : 0;
}

/* Give all ranks the values that this process has set before, unless another one has set them. Requires the lock of its
 * own table. */
static void bring(const HieraSharedTable *own,
                  HieraReply (*ask)(const HieraQuestion *question, const char *key, const char *text))
{
    for (unsigned i = 0; i < own->most_entries && own->n_entries > 0; i++) {
        const HieraSharedEntry *entry = &own->entries[i];
        if (!entry->is_used || entry->name >= HIERA_SHARED_PUBLISHED || entry->value.type == HIERA_VALUE_MISSING)
            continue;
        HieraValue value = hiera_shared_table_get(own, entry);
        const HieraQuestion question = {.kind = HIERA_ASK_BRING,
                                        .name = entry->name,
                                        .key_bytes = entry->key_bytes,
                                        .value = value,
                                        .text_bytes = value.type == HIERA_VALUE_TEXT ? value.length : 0};
        ask(&question, hiera_shared_table_key(own, entry), question.text_bytes ? value.text : NULL);
    }
}

static HieraReply bring_to_file(const HieraQuestion *question, const char *key, const char *text)
{
    return hiera_shared_answer(mapped, question, key, text, NULL);
}

static HieraReply bring_to_server(const HieraQuestion *question, const char *key, const char *text)
{
    return hiera_globals_client_ask(question, key, text, NULL);
}

/* Change from the process's own table to the one in the file. Threads notice it when they get the old table's lock. */
int hiera_globals_use_file(void)
{
    HieraSharedTable *own = current;
    if (!mapped || !hiera_shared_table_lock(own))
        return mapped ? ETIMEDOUT : 0;
    bool good = hiera_shared_table_lock(mapped);
    if (good) {
        bring(own, bring_to_file);
        __atomic_store_n(&current, mapped, __ATOMIC_RELEASE);
        hiera_shared_table_unlock(mapped);
    }
    hiera_shared_table_unlock(own);
    return good ? 0 : ETIMEDOUT;
}

int hiera_globals_use_server(const HieraServerPlace *place)
{
    int error = hiera_globals_connect(place);
    if (error != 0 || !hiera_shared_table_lock(current))
        return error != 0 ? error : ETIMEDOUT;
    bring(current, bring_to_server);
    __atomic_store_n(&is_remote, true, __ATOMIC_RELEASE);
    hiera_shared_table_unlock(current);
    return 0;
}

int hiera_globals_be_server(unsigned clients, HieraServerPlace *place)
{
    return hiera_globals_serve(current, clients, place);
}

/* Remove the file's name: all ranks that need the file have mapped it. Unmap it if this process asks the server. */
void hiera_globals_settle(void)
{
    hiera_globals_server_settle();
    if (!mapped)
        return;
    hiera_shared_file_hide(hiera_globals_number());
    if (current != mapped)
        munmap(mapped, table_bytes);
}

/* --- questions about shared variables and locks --- */

/* Whether `table` is still the table that this process uses. Requires the table's lock. */
static bool is_current(const HieraSharedTable *table)
{
    return table == __atomic_load_n(&current, __ATOMIC_ACQUIRE) && !__atomic_load_n(&is_remote, __ATOMIC_ACQUIRE);
}

static HieraReply ask(const HieraQuestion *question, const void *key, const char *text, HieraReplyRoom *room)
{
    while (!__atomic_load_n(&is_remote, __ATOMIC_ACQUIRE)) {
        HieraSharedTable *table = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
        if (!table || !hiera_shared_table_lock(table))
            return (HieraReply){.answer = HIERA_PROBE_TIMED_OUT};
        bool good = is_current(table);
        HieraReply reply = {.answer = HIERA_PROBE_TIMED_OUT};
        if (good)
            reply = hiera_shared_answer(table, question, key, text, room);
        hiera_shared_table_unlock(table);
        if (good)
            return reply;
    }
    return hiera_globals_client_ask(question, key, text, room);
}

static HieraProbeAnswer get(void *user, unsigned name, const void *key, size_t key_bytes, HieraValue *value, char *room,
                            size_t n)
{
    const HieraQuestion question = {.kind = HIERA_ASK_GET, .name = name, .key_bytes = (uint32_t)key_bytes};
    HieraReplyRoom to = {.text = room, .room = n};
    (void)user;
    HieraReply reply = ask(&question, key, NULL, &to);
    *value = reply.answer == HIERA_PROBE_DONE ? reply.value : hiera_value_missing();
    if (value->type == HIERA_VALUE_TEXT)
        value->text = room;
    return (HieraProbeAnswer)reply.answer;
}

static HieraProbeAnswer update(void *user, unsigned name, const void *key, size_t key_bytes, HieraValueType type,
                               char operator_, HieraValue by)
{
    const HieraQuestion question = {.kind = HIERA_ASK_CHANGE,
                                    .name = name,
                                    .key_bytes = (uint32_t)key_bytes,
                                    .type = type,
                                    .operator_ = (unsigned char)operator_,
                                    .value = by,
                                    .text_bytes = by.type == HIERA_VALUE_TEXT ? by.length : 0};
    (void)user;
    if (question.text_bytes > HIERA_SHARED_TEXT)
        return HIERA_PROBE_NO_ROOM;
    return (HieraProbeAnswer)ask(&question, key, question.text_bytes ? by.text : NULL, NULL).answer;
}

static HieraProbeAnswer lock(void *user, const void *key, size_t key_bytes)
{
    HieraQuestion question = {.kind = HIERA_ASK_LOCK, .key_bytes = (uint32_t)key_bytes, .asker = hiera_owner_here()};
    int64_t begin_ns;
    (void)user;
    for (unsigned turn = 0;; turn++) {
        question.waited_ns = turn > 0 ? (int64_t)hiera_clock_monotonic_ns() - begin_ns : 0;
        question.looks = turn % LOOK_AFTER == LOOK_AFTER - 1;
        HieraReply reply = ask(&question, key, NULL, NULL);
        if (reply.answer != HIERA_PROBE_BUSY)
            return (HieraProbeAnswer)reply.answer;
        if (!hiera_shared_wait(turn, &begin_ns))
            return HIERA_PROBE_TIMED_OUT;
    }
}

static void unlock(void *user, const void *key, size_t key_bytes)
{
    const HieraQuestion question = {
        .kind = HIERA_ASK_UNLOCK, .key_bytes = (uint32_t)key_bytes, .asker = hiera_owner_here()};
    (void)user;
    ask(&question, key, NULL, NULL);
}

static void spoil(void *user, unsigned name)
{
    (void)user;
    ask(&(HieraQuestion){.kind = HIERA_ASK_SPOIL, .name = name}, NULL, NULL, NULL);
}

const HieraProbeGlobals hiera_shared_globals = {
    .get = get, .update = update, .lock = lock, .unlock = unlock, .spoil = spoil};

/* --- results that ranks publish to each other --- */

bool hiera_globals_publish(void *user, const char *bytes, size_t length)
{
    const HieraQuestion question = {
        .kind = HIERA_ASK_PUBLISH, .name = (uint32_t)hiera_job.rank, .text_bytes = (uint32_t)length};
    (void)user;
    return length <= UINT32_MAX / 2 && ask(&question, NULL, bytes, NULL).answer == HIERA_PROBE_DONE;
}

bool hiera_globals_gather(void *user, HieraProbeTotals *totals)
{
    HieraReplyRoom room = {.grow = hiera_probed_grow};
    (void)user;
    HieraReply reply =
        ask(&(HieraQuestion){.kind = HIERA_ASK_GATHER, .name = (uint32_t)hiera_job.rank}, NULL, NULL, &room);
    bool good = reply.answer == HIERA_PROBE_DONE && hiera_probe_totals_load(totals, room.text, reply.text_bytes);
    hiera_probed_release(room.text, room.room);
    return good;
}

/* --- decisions of one rank for all (which loops to time: loops/search.h) --- */

bool hiera_globals_decide(const char *text)
{
    HieraValue value = hiera_value_text(text, strlen(text));
    return update(NULL, HIERA_SHARED_DECISION, NULL, 0, HIERA_VALUE_TEXT, '\0', value) == HIERA_PROBE_DONE;
}

bool hiera_globals_decision(char *text, size_t room)
{
    HieraValue value;
    if (get(NULL, HIERA_SHARED_DECISION, NULL, 0, &value, text, room - 1) != HIERA_PROBE_DONE ||
        value.type != HIERA_VALUE_TEXT)
        return false;
    text[value.length] = '\0';
    return true;
}

/* --- end of the script --- */

/* Write the name of a variable or lock as it stands in the script, such as `#sum[key]`. */
static void write_name(const HieraProbeScript *script, const HieraSharedTable *table, const HieraSharedEntry *entry,
                       char *to, size_t room)
{
    char key[128];
    uint32_t name = entry->name;
    if (name == HIERA_SHARED_SPOILED)
        memcpy(&name, hiera_shared_table_key(table, entry), sizeof name);
    bool known = name < hiera_probe_script_count_names(script),
         has_key = entry->name != HIERA_SHARED_SPOILED && entry->key_bytes > 0;
    hiera_probe_key_write(hiera_shared_table_key(table, entry), entry->key_bytes, key, sizeof key);
    if (name == HIERA_SHARED_LOCKS)
        snprintf(to, room, "what global_lock(%s) protects", key);
    else
        snprintf(to, room, "%s%s%s%s", known ? hiera_probe_script_name(script, name) : "#?", has_key ? "[" : "",
                 has_key ? key : "", has_key ? "]" : "");
}

void hiera_globals_report(const HieraProbeScript *script)
{
    enum { MOST = 5 };
    char text[1024] = "";
    unsigned n = 0;
    HieraSharedTable *table = __atomic_load_n(&is_remote, __ATOMIC_ACQUIRE) ? NULL : current;
    for (uint32_t i = 0; table && table->n_entries > 0 && i < table->most_entries; i++) {
        HieraSharedEntry *entry = &table->entries[i];
        if (!__atomic_load_n(&entry->is_incomplete, __ATOMIC_RELAXED) || entry->name == HIERA_SHARED_PUBLISHED ||
            entry->name == HIERA_SHARED_DECISION ||
            !__atomic_exchange_n(&entry->is_incomplete, false, __ATOMIC_RELAXED))
            continue;
        size_t length = strlen(text);
        if (++n <= MOST && length + 3 < sizeof text) {
            strcat(text, n > 1 ? ", " : "");
            write_name(script, table, entry, text + strlen(text), sizeof text - strlen(text));
        }
    }
    if (n > 0)
        hiera_message("of what all ranks share in the probe script this is incomplete, since a rank ended or waited in "
                      "vain: %s%s",
                      text, n > MOST ? ", and more" : "");
}

void hiera_globals_in_child(void)
{
    hiera_owner_in_child();
    hiera_globals_client_in_child();
}
