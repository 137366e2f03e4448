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

/* Value of `call` for the node with the samples of threads without records. */
#define HIERA_SAMPLE_OTHERS UINT32_MAX

typedef struct HieraSampleNode {
    uint32_t parent, first, last, next; /* indices of nodes; 0: none. Node 0 is the root */
    uint32_t call;                      /* as in HieraRecord.call */
    const void *function;               /* for HIERA_RECORD_FUNCTION */
    const char *level;                  /* for HIERA_RECORD_REGION: level, NUL, name, NUL */
    uint32_t text_bytes;
    uint32_t places; /* first of its places, as index + 1; 0: none */
} HieraSampleNode;

typedef struct HieraSamplePlace {
    const void *address; /* sampled address; NULL: all others */
    uint32_t object;     /* number of its object in places/objects.h + 1; 0: not known */
    uint32_t node;
    uint32_t next;    /* next place of the same node, as index + 1; 0: none */
    uint64_t count;   /* number of samples; 0: the slot is empty */
    uint64_t periods; /* number of periods that they stand for */
} HieraSamplePlace;

/* All zero: an empty tree. */
typedef struct HieraSampleTree {
    HieraSampleNode *nodes;
    uint32_t n_nodes, room_nodes;
    HieraSamplePlace *places; /* hash table with open addressing; its size is a power of two */
    size_t n_places, room_places;
    uint64_t count; /* number of all samples */
    uint64_t lost;  /* number of samples lost for lack of memory */
} HieraSampleTree;

/* Key of a node among its siblings; for a region, `level` and its bytes. */
typedef struct HieraSampleKey {
    uint32_t call;
    const void *function;
    const char *level;
    uint32_t text_bytes;
} HieraSampleKey;

/* Find or make a child. Returns the parent if there is no room. */
uint32_t hiera_sample_tree_child(HieraSampleTree *tree, uint32_t parent, const HieraSampleKey *key);

/* An address and its object. */
typedef struct HieraSampleAt {
    const void *address;
    uint32_t object;
} HieraSampleAt;

/* Whether a node has samples at an address. */
bool hiera_sample_tree_has(const HieraSampleTree *tree, uint32_t node, HieraSampleAt at);

/* Add samples at an address of a node. */
void hiera_sample_tree_add(HieraSampleTree *tree, uint32_t node, HieraSampleAt at, uint64_t count, uint64_t periods);

/* Merge the tree `from` into `to`, and free it. */
void hiera_sample_tree_merge(HieraSampleTree *to, HieraSampleTree *from);
