/* Parts of nodes, by communicator and peer (tree.h): one hash table for all nodes of a tree. */
#include "memory/signal_safe_memory.h"
#include "text/hash.h"
#include "tree.h"

enum { FIRST_ROOM = 64 };

static uint64_t hash_of(const HieraProfileNode *node, HieraPartKey key)
{
    uint64_t hash = hiera_hash_more(hiera_hash_more(0, (uintptr_t)node), (uint64_t)key.comm << 32 | (uint32_t)key.peer);
    return hiera_hash_more(hash, key.way);
}

static HieraProfilePart **place_of(const HieraProfile *profile, const HieraProfileNode *node, HieraPartKey key)
{
    uint32_t mask = profile->room_parts - 1, at = (uint32_t)hash_of(node, key) & mask;
    for (; profile->parts[at]; at = (at + 1) & mask)
        if (profile->parts[at]->node == node && hiera_part_is(profile->parts[at], key))
            break;
    return &profile->parts[at];
}

static bool make_place(HieraProfile *profile)
{
    uint32_t old_room = profile->room_parts, room = old_room ? 2 * old_room : FIRST_ROOM;
    HieraProfilePart **old = profile->parts;
    if (2 * (profile->n_parts + 1) <= old_room)
        return true;
    HieraProfilePart **parts = hiera_memory_new(room * sizeof *parts);
    if (!parts)
        return false;
    HieraProfile larger = {.parts = parts, .room_parts = room};
    for (uint32_t i = 0; i < old_room; i++)
        if (old[i])
            *place_of(&larger, old[i]->node, old[i]->key) = old[i];
    profile->parts =
        parts; /* set only now that the table is complete: the process may be killed at any moment, as in tree.c */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    profile->room_parts = room;
    hiera_memory_free(old, old_room * sizeof *old);
    return true;
}

static HieraProfilePart *make(HieraProfile *profile, HieraProfileNode *node, HieraPartKey key)
{
    HieraProfilePart *part = make_place(profile) ? hiera_memory_new(sizeof *part) : NULL;
    if (!part)
        return NULL;
    *part = (HieraProfilePart){.node = node, .key = key, .sent = -1, .received = -1};
    if (node->last_part)
        node->last_part->next = part;
    else
        node->first_part = part;
    node->last_part = part;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *place_of(profile, node, key) = part;
    node->n_parts++;
    profile->n_parts++;
    return part;
}

HieraProfilePart *hiera_part_search(HieraProfile *profile, HieraProfileNode *node, HieraPartKey key)
{
    static const HieraPartKey rest = {HIERA_SUM_NO_COMM, HIERA_NO_PEER, HIERA_PART_WAY_OTHER};
    HieraProfilePart *part = profile->room_parts > 0 ? *place_of(profile, node, key) : NULL;
    if (!part && (node->n_parts < HIERA_PROFILE_PARTS || key.way == HIERA_PART_WAY_OTHER))
        part = make(profile, node, key);
    else if (!part)
        part = hiera_part_search(profile, node, rest);
    if (part)
        node->near_part = part;
    return part;
}
