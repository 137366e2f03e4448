/* Calls that a trace which begins later must contain: in a hash table with chains, and in a list in their order. */
#include "kept_calls.h"

#include "base/settings.h"
#include "memory/signal_safe_memory.h"
#include "text/hash.h"

#include <string.h>

enum { PLACES = 1 << 12 };

typedef struct Entry {
    HieraKeptCall kept;
    struct Entry *chain;
    size_t bytes; /* size of the copy of the call's record, in bytes */
} Entry;

static Entry **places; /* [PLACES]: chains of a hash table by sort and number */
static HieraKeptCall *first, *last;
static uint32_t n_kept;

bool hiera_kept_is_incomplete;

static Entry **place_of(HieraKeptSort sort, uint32_t number)
{
    return &places[hiera_hash_number(number * 8u + sort) % PLACES];
}

static HieraRecord *copy_of(const HieraRecord *record, size_t bytes)
{
    HieraRecord *copy = hiera_memory_new(bytes);
    if (copy) {
        memcpy(copy, record, bytes);
        copy->bytes = (uint32_t)bytes;
    }
    return copy;
}

/* Maximum number of kept calls: each trace begins with them, so they may take only a part of its size. */
static uint32_t most(void)
{
    size_t room_for = hiera_settings.mode.window_bytes / 4000;
    return hiera_settings.mode.window_bytes > 0 && room_for < HIERA_KEPT_MOST ? (uint32_t)room_for : HIERA_KEPT_MOST;
}

static Entry *make(const HieraRecord *record, size_t bytes)
{
    if (!places)
        places = hiera_memory_new(PLACES * sizeof *places);
    Entry *entry = places && n_kept < most() ? hiera_memory_new(sizeof *entry) : NULL;
    if (!entry || !record)
        return entry;
    entry->bytes = bytes;
    entry->kept.record = copy_of(record, bytes);
    if (entry->kept.record)
        return entry;
    hiera_memory_free(entry, sizeof *entry);
    return NULL;
}

HieraKeptCall *hiera_kept_call_add(HieraKeptSort sort, uint32_t number, const HieraRecord *record, size_t bytes)
{
    Entry *entry = make(record, bytes);
    if (!entry) {
        hiera_kept_is_incomplete = true;
        return NULL;
    }
    HieraKeptCall *kept = &entry->kept;
    Entry **place = place_of(sort, number);
    kept->sort = sort;
    kept->number = number;
    kept->place = HIERA_NO_PLACE;
    entry->chain = *place;
    *place = entry;
    kept->previous = last;
    *(last ? &last->next : &first) = kept;
    last = kept;
    n_kept++;
    return kept;
}

HieraKeptCall *hiera_kept_call_find(HieraKeptSort sort, uint32_t number)
{
    for (Entry *entry = places ? *place_of(sort, number) : NULL; entry; entry = entry->chain)
        if (entry->kept.sort == sort && entry->kept.number == number)
            return &entry->kept;
    return NULL;
}

void hiera_kept_call_remove(HieraKeptCall *kept)
{
    if (!kept)
        return;
    Entry *entry = (Entry *)(void *)kept, **link = place_of(kept->sort, kept->number);
    while (*link != entry)
        link = &(*link)->chain;
    *link = entry->chain;
    *(kept->previous ? &kept->previous->next : &first) = kept->next;
    *(kept->next ? &kept->next->previous : &last) = kept->previous;
    n_kept--;
    if (kept->record)
        hiera_memory_free(kept->record, entry->bytes);
    hiera_memory_free(entry, sizeof *entry);
}

HieraKeptCall *hiera_kept_next(const HieraKeptCall *after)
{
    return after ? after->next : first;
}

void hiera_kept_settle(void)
{
    HieraKeptCall *following;
    for (HieraKeptCall *kept = first; kept; kept = following) {
        following = kept->next;
        if (kept->sort == HIERA_KEPT_EARLY || kept->sort == HIERA_KEPT_TAKEN)
            hiera_kept_call_remove(kept);
    }
}

void hiera_kept_end_thread(unsigned thread)
{
    for (HieraKeptCall *kept = first; kept; kept = kept->next)
        if (kept->thread == thread)
            kept->thread = 0;
}
