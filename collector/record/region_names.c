/* See region_names.h. Names are copied into blocks of memory; a hash table finds them. */
#include "region_names.h"

#include "base/constants.h"
#include "base/settings.h"
#include "base/xml_text.h"
#include "levels_seen.h"
#include "memory/kept_memory.h"
#include "memory/signal_safe_memory.h"
#include "region_counters.h"
#include "watch.h"

#include <string.h>

enum { BLOCK = 64 << 10, SLOTS = HIERA_NAME_SLOTS, TOO_MANY = 1 << 20 };

typedef HieraNameBlock Block;

/* Return the names of a thread, made at the first use; NULL: no memory. */
static HieraNames *names_of(HieraThread *thread)
{
    if (!thread->names && (thread->names = hiera_kept_map(BLOCK))) {
        thread->names->first.used = HIERA_ROUND_UP(sizeof(HieraNames));
        thread->names->blocks = &thread->names->first;
    }
    return thread->names;
}

static HieraName *take_room(HieraNames *names, size_t bytes)
{
    Block *block = names->blocks;
    bytes = HIERA_ROUND_UP(bytes);
    if (BLOCK - block->used < bytes) {
        Block *fresh = hiera_kept_map(BLOCK);
        if (!fresh)
            return NULL;
        fresh->next = block;
        fresh->used = HIERA_ROUND_UP(sizeof *fresh);
        names->blocks = block = fresh;
    }
    HieraName *name = (HieraName *)(void *)((char *)block + block->used);
    block->used += bytes;
    names->bytes += bytes;
    return name;
}

static size_t hash_of(const void *site, HieraBytes level, HieraBytes name)
{
    uint64_t hash = hiera_hash_bytes((uintptr_t)site + level.length, name.bytes, name.length);
    return hiera_hash_number(hash ^ hash >> 32) % SLOTS;
}

static bool is_text(const char *text, size_t length, HieraBytes bytes)
{
    return length == bytes.length && (length == 0 || memcmp(text, bytes.bytes, length) == 0);
}

static bool is_name(const HieraName *known, const void *site, HieraBytes level, HieraBytes name)
{
    return known->site == site && is_text(known->level, known->level_length, level) &&
           is_text(hiera_name_text(known), known->name_length, name);
}

static char *put_text(char *to, HieraBytes text)
{
    if (text.length > 0)
        memcpy(to, text.bytes, text.length);
    to[text.length] = '\0';
    return to + text.length + 1;
}

/* Update the flags of a name. Whether the region of an assertion is recorded is left as it is: assertion.c decides
 * that. */
static void renew(HieraName *name)
{
    bool is_filtered = hiera_settings.levels[0] != '\0' && !hiera_settings_has_word(hiera_settings.levels, name->level);
    unsigned unusual =
        name->unusual & ~(name->assertion ? HIERA_NAME_WATCHED : HIERA_NAME_WATCHED | HIERA_NAME_FILTERED);
    name->watched = hiera_watch_name(name);
    unusual |= (name->watched ? HIERA_NAME_WATCHED : 0) | (is_filtered && !name->assertion ? HIERA_NAME_FILTERED : 0);
    name->unusual = (uint8_t)unusual;
}

void hiera_names_renew(HieraThread *thread)
{
    for (size_t i = 0; thread->names && i < SLOTS; i++)
        for (HieraName *name = thread->names->slots[i]; name; name = name->next)
            renew(name);
}

static HieraName *add(HieraNames *names, HieraName **slot, const void *site, HieraBytes level, HieraBytes name)
{
    HieraName *made = take_room(names, sizeof *made + level.length + name.length + 2);
    if (!made)
        return NULL;
    *made = (HieraName){.site = site};
    made->level_length = (uint16_t)level.length;
    made->name_length = (uint16_t)name.length;
    made->constant_level = made->constant_name = made->level;
    put_text(put_text(made->level, level), name);
    if (hiera_region_counters.n > 0)
        made->unusual = HIERA_NAME_COUNTED;
    renew(made);
    hiera_levels_see(made->level);
    made->next = *slot;
    __atomic_store_n(slot, made, __ATOMIC_RELEASE); /* another thread may be reading the list (hiera_names_renew()) */
    return made;
}

HieraName *hiera_name_find(HieraThread *thread, const void *site, HieraBytes level, HieraBytes name)
{
    HieraNames *names = names_of(thread);
    if (!names)
        return NULL;
    HieraName **slot = &names->slots[hash_of(site, level, name)];
    for (HieraName *known = *slot; known; known = known->next)
        if (is_name(known, site, level, name))
            return known;
    return add(names, slot, site, level, name);
}

static HieraBytes bytes_of(const char *text)
{
    return (HieraBytes){text, strnlen(text, HIERA_REGION_TEXT_MAX)};
}

HieraName *hiera_name_find_new_text(HieraThread *thread, const void *site, const char *level, const char *name)
{
    HieraName *found = hiera_name_find(thread, site, bytes_of(level), bytes_of(name));
    if (!found)
        return NULL;
    thread->names->memos[hiera_name_memo(site, name)] = found;
    if (hiera_is_constant(name) &&
        hiera_is_constant(level)) { /* test `name` first: where a text is no constant, it is usually `name` */
        found->constant_level = level;
        found->constant_name = name;
    }
    return found;
}

static void forget(HieraNames *names)
{
    if (!names)
        return;
    for (size_t i = 0; i < SLOTS; i++)
        for (HieraName *name = names->slots[i]; name; name = name->next) {
            hiera_memory_free(name->begin, hiera_name_begin_room(name->begin_length));
            hiera_memory_free(name->again, sizeof *name->again);
        }
    for (Block *block = names->blocks, *next; block;
         block = next) { /* the list's last block is part of `names` itself: read `next` before a block is freed */
        next = block->next;
        hiera_kept_unmap(block, BLOCK);
    }
}

static HieraName *find_again(HieraThread *thread, const HieraName *name)
{
    HieraBytes level = {name->level, name->level_length}, text = {hiera_name_text(name), name->name_length};
    HieraName *again = hiera_name_find(thread, name->site, level, text);
    if (again) {
        again->assertion = name->assertion;
        again->unusual = name->unusual;
    }
    return again;
}

bool hiera_names_tidy(HieraThread *thread, HieraName **(*in_use)(HieraThread *thread, uint32_t i), uint32_t n)
{
    HieraNames *old = thread->names;
    if (!old || old->bytes < TOO_MANY)
        return false;
    thread->names = NULL;
    for (uint32_t i = 0; i < n; i++)
        if (*in_use(thread, i) && !find_again(thread, *in_use(thread, i))) {
            forget(thread->names); /* no memory for a copy of a name in use: keep all old names */
            thread->names = old;
            return false;
        }
    for (uint32_t i = 0; i < n; i++)
        if (*in_use(thread, i))
            *in_use(thread, i) = find_again(thread, *in_use(thread, i));
    forget(old);
    return true;
}

void hiera_names_free(HieraThread *thread)
{
    forget(thread->names);
    thread->names = NULL;
}

void hiera_names_recover(HieraThread *thread)
{
    for (size_t i = 0; thread->names && i < SLOTS; i++)
        for (HieraName *name = thread->names->slots[i]; name; name = name->next) {
            name->is_placed = false;
            name->begin = NULL;
            name->begin_length = 0;
            name->again = NULL;
            name->declared = NULL;
            name->epoch = 0;
            name->watched = 0;
        }
}
