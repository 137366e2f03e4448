/* See awaited.h. A hash table with open addressing; entries behind a removed one move up to fill the gap. */
#include "awaited.h"

#include "base/kept.h"
#include "memory/signal_safe_memory.h"
#include "text/hash.h"

/* Bounds of the table; a request that never completes, or only while recording is paused, stays in the table. */
enum { FIRST_ROOM = 64, MOST = 1 << 18 };

static HieraAwaited *table HIERA_KEPT; /* entries; number 0: the entry is empty */
static uint32_t n_awaited HIERA_KEPT, room HIERA_KEPT;

uint32_t hiera_awaited_early HIERA_KEPT;

static uint32_t first_place(HieraAwaitedSort sort, uint32_t number)
{
    return (uint32_t)hiera_hash_number(number * 8u + sort) & (room - 1);
}

static uint32_t place_of(HieraAwaitedSort sort, uint32_t number)
{
    uint32_t at = first_place(sort, number);
    while (table[at].number != 0 && (table[at].number != number || table[at].sort != sort))
        at = (at + 1) & (room - 1);
    return at;
}

/* Add an entry. Several entries may have one key: early messages and starts of one request. */
static void insert(const HieraAwaited *awaited)
{
    uint32_t at = first_place((HieraAwaitedSort)awaited->sort, awaited->number);
    while (table[at].number != 0)
        at = (at + 1) & (room - 1);
    table[at] = *awaited;
}

static bool make_place(void)
{
    HieraAwaited *old = table;
    uint32_t old_room = room, larger = room ? 2 * room : FIRST_ROOM;
    if (4 * (n_awaited + 1) <= 3 * room)
        return true;
    HieraAwaited *fresh = n_awaited < MOST ? hiera_memory_new(larger * sizeof *fresh) : NULL;
    if (!fresh)
        return false;
    table = fresh; /* if the process is killed here, awaited requests are lost, but no sums of calls */
    room = larger;
    for (uint32_t i = 0; i < old_room; i++)
        if (old[i].number != 0)
            insert(&old[i]);
    hiera_memory_free(old, old_room * sizeof *old);
    return true;
}

bool hiera_awaited_put(const HieraAwaited *awaited)
{
    if (!make_place())
        return false;
    insert(awaited);
    n_awaited++;
    hiera_awaited_early += awaited->sort == HIERA_AWAITED_EARLY;
    return true;
}

const HieraAwaited *hiera_awaited_find(HieraAwaitedSort sort, uint32_t number)
{
    if (room == 0 || (sort == HIERA_AWAITED_EARLY && hiera_awaited_early == 0))
        return NULL;
    const HieraAwaited *found = &table[place_of(sort, number)];
    return found->number != 0 ? found : NULL;
}

/* Move later entries up that a search, which stops at an empty entry, would no longer find. */
static void close_gap(uint32_t gap)
{
    for (uint32_t at = (gap + 1) & (room - 1); table[at].number != 0; at = (at + 1) & (room - 1)) {
        uint32_t home = first_place((HieraAwaitedSort)table[at].sort, table[at].number);
        if (((at - home) & (room - 1)) >= ((at - gap) & (room - 1))) {
            table[gap] = table[at];
            gap = at;
        }
    }
    table[gap].number = 0;
}

void hiera_awaited_remove(const HieraAwaited *found)
{
    hiera_awaited_early -= found->sort == HIERA_AWAITED_EARLY;
    n_awaited--;
    close_gap((uint32_t)(found - table));
}

bool hiera_awaited_take(HieraAwaitedSort sort, uint32_t number, HieraAwaited *copy)
{
    const HieraAwaited *found = hiera_awaited_find(sort, number);
    if (!found)
        return false;
    if (copy)
        *copy = *found;
    hiera_awaited_remove(found);
    return true;
}

void hiera_awaited_move(const HieraProfile *from, HieraProfile *to,
                        HieraProfileNode *(*node_of)(const HieraProfileNode *node))
{
    for (uint32_t i = 0; i < room; i++)
        if (table[i].number != 0 && table[i].profile == from) {
            table[i].profile = to;
            table[i].node = table[i].node ? node_of(table[i].node) : NULL;
        }
}

void hiera_awaited_forget(const HieraProfile *profile)
{
    for (uint32_t i = 0; i < room; i++)
        if (table[i].number != 0 && table[i].profile == profile) {
            table[i].profile = NULL;
            table[i].node = NULL;
            table[i].is_single = true;
        }
}

static void name_of_profile(const HieraProfile *profile, void (*name)(uint32_t comm))
{
    for (uint32_t i = 0; i < profile->room_parts; i++)
        if (profile->parts[i] && profile->parts[i]->key.comm != HIERA_SUM_NO_COMM)
            name(profile->parts[i]->key.comm);
    for (size_t i = 0; i < profile->sums.n; i++)
        if (profile->sums.rows[i].comm != HIERA_SUM_NO_COMM)
            name(profile->sums.rows[i].comm);
}

void hiera_awaited_name_comms(void (*name)(uint32_t comm))
{
    for (uint32_t i = 0; i < room; i++)
        if (table[i].number != 0 && table[i].comm != HIERA_SUM_NO_COMM)
            name(table[i].comm);
    for (const HieraProfile *profile = hiera_profiles; profile; profile = profile->next)
        name_of_profile(profile, name);
}
