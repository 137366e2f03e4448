#include "tree.h"

#include "base/kept.h"
#include "memory/signal_safe_memory.h"
#include "record/region_counters.h"
#include "text/hash.h"

enum { FIRST_ROOM = 64, FIRST_OPEN = 32 };

_Static_assert(sizeof(HieraProfileNode) <= 256, "a node fits a block of memory");

HieraProfile *hiera_profiles HIERA_KEPT;
HieraAdding hiera_profile_adding HIERA_KEPT;

static void init(HieraProfileNode *node)
{
    node->min_ns = UINT64_MAX;
    node->sent = node->received = -1;
}

HieraProfile *hiera_profile_new(unsigned thread)
{
    HieraProfile *profile = hiera_memory_new(sizeof *profile);
    if (!profile)
        return NULL;
    init(&profile->root);
    profile->thread = thread;
    profile->labels = &profile->own_labels;
    profile->found = &profile->root;
    profile->next = hiera_profiles;
    hiera_profiles = profile;
    return profile;
}

static uint64_t hash_of(const HieraProfileNode *parent, uint32_t call, uint64_t what, const void *site)
{
    uint64_t hash = hiera_hash_more(hiera_hash_more(0, (uintptr_t)parent), (uintptr_t)site);
    return hiera_hash_more(hash, what ^ (uint64_t)call << 40);
}

/* Return the slot of the hash table with this node, or the empty slot that the node would take. */
static HieraProfileNode **place_of(const HieraProfile *profile, const HieraProfileNode *parent, uint32_t call,
                                   uint64_t what, const void *site)
{
    uint32_t mask = profile->room_nodes - 1, at = (uint32_t)hash_of(parent, call, what, site) & mask;
    for (; profile->nodes[at]; at = (at + 1) & mask) {
        const HieraProfileNode *node = profile->nodes[at];
        if (node->site == site && node->parent == parent && node->call == call && node->what == what)
            break;
    }
    return &profile->nodes[at];
}

static bool make_place(HieraProfile *profile)
{
    uint32_t old_room = profile->room_nodes, room = old_room ? 2 * old_room : FIRST_ROOM;
    HieraProfileNode **old = profile->nodes;
    if (2 * (profile->n_nodes + profile->n_others + 1) <= old_room)
        return true;
    HieraProfileNode **nodes = hiera_memory_new(room * sizeof *nodes);
    if (!nodes)
        return false;
    HieraProfile larger = {.nodes = nodes, .room_nodes = room};
    for (uint32_t i = 0; i < old_room; i++)
        if (old[i])
            *place_of(&larger, old[i]->parent, old[i]->call, old[i]->what, old[i]->site) = old[i];
    profile->nodes = nodes; /* a process killed at any moment has the old table or the new one */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    profile->room_nodes = room;
    hiera_memory_free(old, old_room * sizeof *old);
    return true;
}

/* Add a node, complete before it is linked: a signal handler may interrupt this and write the tree. */
static HieraProfileNode *make(HieraProfile *profile, HieraProfileNode *parent, uint32_t call, uint64_t what,
                              const void *site)
{
    HieraProfileNode *node = make_place(profile) ? hiera_memory_new(sizeof *node) : NULL;
    if (!node)
        return NULL;
    init(node);
    node->parent = parent;
    node->call = call;
    node->what = what;
    node->site = site;
    if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* order of stores: a node that is in the hash table is in the tree, too */
    *place_of(profile, parent, call, what, site) = node;
    if (call == HIERA_NODE_OTHER)
        profile->n_others++;
    else
        profile->n_nodes++;
    return node;
}

/* Return the node "(other)" below this parent, which collects calls that get no node of their own; or if there are too
 * many such nodes, that of the root. */
static HieraProfileNode *rest_of(HieraProfile *profile, HieraProfileNode *parent)
{
    HieraProfileNode *rest = profile->room_nodes > 0 ? *place_of(profile, parent, HIERA_NODE_OTHER, 0, NULL) : NULL;
    if (rest)
        return rest;
    if (parent == &profile->root || profile->n_others < HIERA_PROFILE_OTHERS - 1)
        return make(profile, parent, HIERA_NODE_OTHER, 0, NULL);
    return rest_of(profile, &profile->root);
}

HieraProfileNode *hiera_node_search(HieraProfile *profile, HieraProfileNode *parent, uint32_t call, uint64_t what,
                                    const void *site)
{
    if (parent->call == HIERA_NODE_OTHER)
        return parent;
    HieraProfileNode *node = profile->room_nodes > 0 ? *place_of(profile, parent, call, what, site) : NULL;
    if (!node && profile->n_nodes < HIERA_PROFILE_NODES)
        node = make(profile, parent, call, what, site);
    else if (!node)
        node = rest_of(profile, parent);
    if (node) {
        profile->found->after = node;
        profile->found = node;
    }
    return node;
}

bool hiera_profile_push(HieraProfile *profile, HieraProfileOpen open)
{
    if (profile->unkept == 0 && profile->n_open == profile->room_open) {
        uint32_t room = profile->room_open ? 2 * profile->room_open : FIRST_OPEN;
        HieraProfileOpen *larger =
            hiera_memory_grow(profile->open, profile->room_open * sizeof *larger, room * sizeof *larger);
        if (larger) {
            profile->open = larger;
            profile->room_open = room;
        }
    }
    if (profile->unkept > 0 || profile->n_open == profile->room_open) {
        profile->unkept++;
        return false;
    }
    profile->open[profile->n_open++] = open;
    return true;
}

void hiera_profile_settle(HieraProfile *profile)
{
    while (profile->touched) {
        HieraProfileNode *node = profile->touched;
        uint64_t ns = hiera_clock_ns(node->last_ticks);
        node->last_ns = ns > node->last_ns ? ns : node->last_ns;
        profile->touched = node->touched;
        node->last_ticks = 0;
    }
}

static void free_node(HieraProfileNode *node)
{
    hiera_spread_free(&node->times);
    hiera_spread_free(&node->sizes);
    hiera_waits_free(node->waits);
    if (node->gaps)
        hiera_spread_free(&node->gaps->spread);
    hiera_memory_free(node->gaps, sizeof *node->gaps);
    hiera_memory_free(node->counted, 2 * hiera_region_counters.n * sizeof *node->counted);
    hiera_memory_free(node, sizeof *node);
}

static void unlist(HieraProfile *profile)
{
    HieraProfile **link = &hiera_profiles;
    while (*link != profile)
        link = &(*link)->next;
    *link = profile->next;
}

void hiera_profile_free(HieraProfile *profile)
{
    unlist(profile);
    for (uint32_t i = 0; i < profile->room_nodes; i++)
        if (profile->nodes[i])
            free_node(profile->nodes[i]);
    for (uint32_t i = 0; i < profile->room_parts; i++)
        hiera_memory_free(profile->parts[i], sizeof *profile->parts[i]);
    hiera_memory_free(profile->nodes, profile->room_nodes * sizeof *profile->nodes);
    hiera_memory_free(profile->parts, profile->room_parts * sizeof *profile->parts);
    hiera_memory_free(profile->switch_over, profile->switch_over_bytes);
    hiera_memory_free(profile->open, profile->room_open * sizeof *profile->open);
    hiera_labels_free(&profile->own_labels);
    hiera_sums_clear(&profile->sums);
    hiera_memory_free(profile, sizeof *profile);
}
