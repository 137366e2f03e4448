/* Counts calls per channel, in a hash table with open addressing; removal leaves no tombstones. */
#include "channels.h"

#include "base/settings.h"
#include "kept_calls.h"
#include "memory/signal_safe_memory.h"
#include "text/hash.h"

enum { FIRST_ROOM = 64 };

static HieraChannel *table;
static uint32_t n_channels, room;

bool hiera_channels_are_incomplete;

static uint32_t hash(uint32_t sort, uint32_t object, int32_t peer, int32_t tag)
{
    const uint64_t words[] = {object, (uint32_t)peer, (uint32_t)tag, sort};
    return (uint32_t)hiera_hash_words(words, 4, 0);
}

static uint32_t home_of(const HieraChannel *channel)
{
    return hash(channel->sort, channel->object, channel->peer, channel->tag) & (room - 1);
}

static bool is_same(const HieraChannel *a, const HieraChannel *b)
{
    return a->sort == b->sort && a->object == b->object && a->peer == b->peer && a->tag == b->tag;
}

static HieraChannel *place_of(const HieraChannel *key)
{
    uint32_t at = home_of(key);
    while (table[at].sort != 0 && !is_same(&table[at], key))
        at = (at + 1) & (room - 1);
    return &table[at];
}

/* Maximum number of channels. All channels are written at the begin of each trace, and must take only a small part of
 * its room. */
static uint32_t most(void)
{
    size_t room_for = hiera_settings.mode.window_bytes / 1000;
    return hiera_settings.mode.window_bytes > 0 && room_for < HIERA_CHANNELS_MOST ? (uint32_t)room_for
                                                                                  : HIERA_CHANNELS_MOST;
}

static bool make_place(void)
{
    HieraChannel *old = table;
    uint32_t old_room = room, larger = room ? 2 * room : FIRST_ROOM;
    if (n_channels >= most())
        return false;
    if (4 * (n_channels + 1) <= 3 * room)
        return true;
    HieraChannel *fresh = hiera_memory_new(larger * sizeof *fresh);
    if (!fresh)
        return false;
    table = fresh;
    room = larger;
    for (uint32_t i = 0; i < old_room; i++)
        if (old[i].sort != 0)
            *place_of(&old[i]) = old[i];
    hiera_memory_free(old, old_room * sizeof *old);
    return true;
}

HieraChannel *hiera_channel_find(HieraChannelSort sort, uint32_t object, int32_t peer, int32_t tag)
{
    const HieraChannel key = {.sort = sort, .object = object, .peer = peer, .tag = tag};
    HieraChannel *found = room > 0 ? place_of(&key) : NULL;
    if (found && found->sort != 0)
        return found;
    if (!make_place()) {
        hiera_channels_are_incomplete = true;
        return NULL;
    }
    found = place_of(&key);
    *found = key;
    n_channels++;
    return found;
}

/* Remove the entry at `gap`, and move later entries back that a search would not find behind an empty one. */
static void remove_at(uint32_t gap)
{
    n_channels--;
    for (uint32_t at = (gap + 1) & (room - 1); table[at].sort != 0; at = (at + 1) & (room - 1)) {
        if (((at - home_of(&table[at])) & (room - 1)) >= ((at - gap) & (room - 1))) {
            table[gap] = table[at];
            gap = at;
        }
    }
    table[gap].sort = 0;
}

void hiera_channel_drop(HieraChannelSort sort, uint32_t object)
{
    const HieraChannel key = {.sort = sort, .object = object};
    HieraChannel *found = room > 0 ? place_of(&key) : NULL;
    if (found && found->sort != 0)
        remove_at((uint32_t)(found - table));
}

/* --- channels of freed communicators --- */

enum { FREED_MOST = 256 };

static uint32_t freed[FREED_MOST];
static bool is_named[FREED_MOST];
static uint32_t n_freed;

static uint32_t find_freed(uint32_t comm)
{
    uint32_t at = 0;
    while (at < n_freed && freed[at] != comm)
        at++;
    return at;
}

static void mark_named(void)
{
    for (uint32_t i = 0; i < n_freed; i++)
        is_named[i] = false;
    for (const HieraKeptCall *kept = hiera_kept_next(NULL); kept && n_freed > 0; kept = hiera_kept_next(kept)) {
        uint32_t at = kept->comm != 0 ? find_freed(kept->comm) : n_freed;
        if (at < n_freed)
            is_named[at] = true;
    }
}

static bool is_gone(const HieraChannel *channel)
{
    uint32_t at = channel->sort != 0 && channel->sort <= HIERA_CHANNEL_INITS ? find_freed(channel->object) : n_freed;
    return at < n_freed && !is_named[at];
}

void hiera_channels_tidy(void)
{
    uint32_t left = 0;
    mark_named();
    for (uint32_t i = 0; i < room && n_freed > 0;) {
        if (is_gone(&table[i]))
            remove_at(i); /* look at i again, where another entry may be now */
        else
            i++;
    }
    for (uint32_t i = 0; i < n_freed; i++)
        if (is_named[i])
            freed[left++] = freed[i];
    n_freed = left;
}

void hiera_channels_free_comm(uint32_t comm)
{
    if (n_freed == FREED_MOST)
        hiera_channels_tidy();
    if (n_freed < FREED_MOST)
        freed[n_freed++] = comm;
}

void hiera_channels_visit(void (*visit)(const HieraChannel *channel, void *user), void *user)
{
    for (uint32_t i = 0; i < room; i++)
        if (table[i].sort != 0)
            visit(&table[i], user);
}
