#include "sample_tree.h"

#include "memory/kept_maps.h"
#include "memory/signal_safe_memory.h"
#include "text/hash.h"

#include <string.h>

enum { FEW = 16 };

static bool grow_nodes(HieraSampleTree *tree)
{
    uint32_t room = tree->room_nodes ? 2 * tree->room_nodes : FEW;
    HieraSampleNode *nodes = hiera_memory_grow(tree->nodes, tree->room_nodes * sizeof *nodes, room * sizeof *nodes);
    if (!nodes)
        return false;
    tree->nodes = nodes;
    tree->room_nodes = room;
    tree->n_nodes = tree->n_nodes ? tree->n_nodes : 1; /* node 0 is the root */
    return true;
}

static bool is_same(const HieraSampleNode *node, const HieraSampleKey *key)
{
    return node->call == key->call && node->function == key->function && node->text_bytes == key->text_bytes &&
           (key->text_bytes == 0 || memcmp(node->level, key->level, key->text_bytes) == 0);
}

static uint32_t make(HieraSampleTree *tree, uint32_t parent, const HieraSampleKey *key)
{
    if (tree->n_nodes == HIERA_SAMPLE_NODES || (tree->n_nodes >= tree->room_nodes && !grow_nodes(tree)))
        return parent;
    char *level = key->text_bytes > 0 ? hiera_memory_new(key->text_bytes) : NULL;
    if (key->text_bytes > 0 && !level)
        return parent;
    if (level)
        memcpy(level, key->level, key->text_bytes);
    uint32_t number = tree->n_nodes;
    tree->nodes[number] = (HieraSampleNode){
        .parent = parent, .call = key->call, .function = key->function, .level = level, .text_bytes = key->text_bytes};
    HieraSampleNode *around = &tree->nodes[parent];
    if (around->last != 0)
        tree->nodes[around->last].next = number;
    else
        around->first = number;
    around->last = number;
    tree->n_nodes++;
    return number;
}

uint32_t hiera_sample_tree_child(HieraSampleTree *tree, uint32_t parent, const HieraSampleKey *key)
{
    if (!tree->nodes && !grow_nodes(tree))
        return 0;
    for (uint32_t i = tree->nodes[parent].first; i != 0; i = tree->nodes[i].next)
        if (is_same(&tree->nodes[i], key))
            return i;
    return make(tree, parent, key);
}

static HieraSamplePlace *find(const HieraSampleTree *tree, uint32_t node, HieraSampleAt at)
{
    size_t mask = tree->room_places - 1,
           i = hiera_hash_number((uintptr_t)at.address + ((uint64_t)node << 48) + at.object) & mask;
    while (tree->places[i].count > 0 && (tree->places[i].address != at.address || tree->places[i].object != at.object ||
                                         tree->places[i].node != node))
        i = (i + 1) & mask;
    return &tree->places[i];
}

/* Store a place in the empty slot `at` of the hash table, and add it to the list of its node. */
static void put(HieraSampleTree *tree, HieraSamplePlace *at, const HieraSamplePlace *place)
{
    HieraSampleNode *node = &tree->nodes[place->node];
    *at = *place;
    at->next = node->places;
    node->places = (uint32_t)(at - tree->places) + 1;
}

static bool grow_places(HieraSampleTree *tree)
{
    size_t room = tree->room_places ? 2 * tree->room_places : 64, old_room = tree->room_places;
    HieraSamplePlace *old = tree->places, *places = hiera_memory_new(room * sizeof *places);
    if (!places)
        return false;
    tree->places = places;
    tree->room_places = room;
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        tree->nodes[i].places = 0;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].count > 0)
            put(tree, find(tree, old[i].node, (HieraSampleAt){old[i].address, old[i].object}), &old[i]);
    hiera_memory_free(old, old_room * sizeof *old);
    return true;
}

bool hiera_sample_tree_has(const HieraSampleTree *tree, uint32_t node, HieraSampleAt at)
{
    return tree->room_places > 0 && find(tree, node, at)->count > 0;
}

/* At most half of the table is used, and in the largest table only by addresses: each node has room for its place for
 * others. */
void hiera_sample_tree_add(HieraSampleTree *tree, uint32_t node, HieraSampleAt at, uint64_t count, uint64_t periods)
{
    if (!tree->nodes && !grow_nodes(tree)) {
        tree->lost += count;
        return;
    }
    bool is_full = 2 * tree->n_places >= tree->room_places && !grow_places(tree);
    if (is_full && (tree->room_places == 0 || tree->n_places + 1 >= tree->room_places)) {
        tree->lost += count;
        return;
    }
    HieraSamplePlace *place = find(tree, node, at);
    if (place->count == 0 && tree->n_places >= HIERA_SAMPLE_PLACES)
        place = find(tree, node, at = (HieraSampleAt){NULL, 0});
    if (place->count == 0) {
        tree->n_places++;
        put(tree, place, &(HieraSamplePlace){.address = at.address, .object = at.object, .node = node});
        if (at.address)
            hiera_kept_maps_see(at.address);
    }
    place->count += count;
    place->periods += periods;
    tree->count += count;
}

static void free_all(HieraSampleTree *tree)
{
    for (uint32_t i = 1; i < tree->n_nodes; i++)
        if (tree->nodes[i].level)
            hiera_memory_free((void *)(uintptr_t)tree->nodes[i].level, tree->nodes[i].text_bytes);
    hiera_memory_free(tree->nodes, tree->room_nodes * sizeof *tree->nodes);
    hiera_memory_free(tree->places, tree->room_places * sizeof *tree->places);
    *tree = (HieraSampleTree){0};
}

/* One pass is enough, because nodes are numbered as they were made: each parent is before its children. */
void hiera_sample_tree_merge(HieraSampleTree *to, HieraSampleTree *from)
{
    uint32_t *there = from->n_nodes > 0 ? hiera_memory_new(from->n_nodes * sizeof *there) : NULL;
    for (uint32_t i = 1; there && i < from->n_nodes; i++) {
        const HieraSampleNode *node = &from->nodes[i];
        there[i] = hiera_sample_tree_child(
            to, there[node->parent], &(HieraSampleKey){node->call, node->function, node->level, node->text_bytes});
    }
    for (size_t i = 0; i < from->room_places; i++) {
        const HieraSamplePlace *place = &from->places[i];
        if (place->count > 0)
            hiera_sample_tree_add(to, there ? there[place->node] : 0, (HieraSampleAt){place->address, place->object},
                                  place->count, place->periods);
    }
    to->lost += from->lost;
    if (there)
        hiera_memory_free(there, from->n_nodes * sizeof *there);
    free_all(from);
}
