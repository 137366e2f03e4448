/* Positions of samples: a tree of open regions, functions and MPI calls, and in each of its nodes counts of addresses.
 *
 * Memory is bounded: HIERA_SAMPLE_NODES nodes, HIERA_SAMPLE_PLACES addresses. If there is no room for a sample's node,
 * it counts in the node around it; if there is none for its address, it counts in its node with the address NULL. With
 * the lock held; safe in a signal handler. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIERA_SAMPLE_NODES = 4096, HIERA_SAMPLE_PLACES = 16384 };

/* Value of `call` for the node that has the samples of threads without records. */
#define HIERA_SAMPLE_OTHERS UINT32_MAX

typedef struct HieraSampleNode {
    uint32_t parent, first, last, next; /* indices of parent, first and last child, next sibling; 0: none (root) */
    uint32_t call;                      /* kind of the node: as in HieraRecord.call, or HIERA_SAMPLE_OTHERS */
    const void *function;               /* address of the function, if `call` is HIERA_RECORD_FUNCTION */
    const char *level;                  /* if `call` is HIERA_RECORD_REGION: the region's level, NUL, its name, NUL */
    uint32_t text_bytes;
    uint32_t places; /* head of the list of the node's places: index in `places` of the tree + 1; 0: none */
} HieraSampleNode;

typedef struct HieraSamplePlace {
    const void *address; /* sampled address; NULL: all addresses for which there was no room */
    uint32_t object;     /* number of the shared library or executable there (places/objects.h) + 1; 0: unknown */
    uint32_t node;
    uint32_t next;    /* next place of the same node: index in `places` of the tree + 1; 0: none */
    uint64_t count;   /* number of samples at the address; 0: this slot of the hash table is empty */
    uint64_t periods; /* number of sampling periods that these samples stand for */
} HieraSamplePlace;

/* Tree of open regions, functions and MPI calls, with counts of sampled addresses. All zero: an empty tree. */
typedef struct HieraSampleTree {
    HieraSampleNode *nodes;
    uint32_t n_nodes, room_nodes;
    HieraSamplePlace *places; /* hash table with open addressing; `room_places`, its size, is a power of two */
    size_t n_places, room_places;
    uint64_t count; /* number of all samples in the tree */
    uint64_t lost;  /* number of samples lost for lack of memory */
} HieraSampleTree;

/* Key that tells a node from its siblings. For a region, the `text_bytes` bytes at `level` are compared. */
typedef struct HieraSampleKey {
    uint32_t call;
    const void *function;
    const char *level;
    uint32_t text_bytes;
} HieraSampleKey;

/* Find or make the child of `parent` with this key. Returns `parent` if there is no room for a new node. */
uint32_t hiera_sample_tree_child(HieraSampleTree *tree, uint32_t parent, const HieraSampleKey *key);

/* A sampled address, and the number of the shared library or executable there (HieraSamplePlace.object). */
typedef struct HieraSampleAt {
    const void *address;
    uint32_t object;
} HieraSampleAt;

/* Whether the node has any sample at this address. */
bool hiera_sample_tree_has(const HieraSampleTree *tree, uint32_t node, HieraSampleAt at);

/* Add `count` samples, which stand for `periods` sampling periods, at an address of a node. */
void hiera_sample_tree_add(HieraSampleTree *tree, uint32_t node, HieraSampleAt at, uint64_t count, uint64_t periods);

/* Merge the tree `from` into `to`, and free it. */
void hiera_sample_tree_merge(HieraSampleTree *to, HieraSampleTree *from);
