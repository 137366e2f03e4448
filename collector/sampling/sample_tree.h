/* Where samples were: a tree of open regions, functions and MPI calls, and in each of its nodes counts of addresses.
 *
 * Memory is bounded: HIERA_SAMPLE_NODES nodes, HIERA_SAMPLE_PLACES addresses. A sample for whose node there is no room
 * counts in the node around it; one for whose address there is none counts there with the address NULL. With the lock
 * held; safe in a signal handler. */
#ifndef HIERA_SAMPLE_TREE_H
#define HIERA_SAMPLE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIERA_SAMPLE_NODES = 4096, HIERA_SAMPLE_PLACES = 16384 };

/* `call` of a node that has the samples of threads without records. */
#define HIERA_SAMPLE_OTHERS UINT32_MAX

typedef struct HieraSampleNode {
    uint32_t parent, first, last, next; /* numbers of nodes; 0: none. Node 0 is the root */
    uint32_t call;                      /* HieraRecord.call */
    const void *function;               /* of HIERA_RECORD_FUNCTION */
    const char *level;                  /* of HIERA_RECORD_REGION: level, NUL, name, NUL */
    uint32_t text_bytes;
    uint32_t places; /* the first of its places: index + 1; 0: none */
} HieraSampleNode;

typedef struct HieraSamplePlace {
    const void *address; /* NULL: any other */
    uint32_t object;     /* in which it is, by its number in places/objects.h + 1; 0: not known */
    uint32_t node;
    uint32_t next;    /* of the node: index + 1; 0: none */
    uint64_t count;   /* samples; 0: this is no place */
    uint64_t periods; /* for which they stand */
} HieraSamplePlace;

/* All zero: it is empty. */
typedef struct HieraSampleTree {
    HieraSampleNode *nodes;
    uint32_t n_nodes, room_nodes;
    HieraSamplePlace *places; /* hash table with open addressing; its size is a power of two */
    size_t n_places, room_places;
    uint64_t count; /* all samples */
    uint64_t lost;  /* samples for which there was no memory */
} HieraSampleTree;

/* What a node is: of a region `level` and its bytes. */
typedef struct HieraSampleKey {
    uint32_t call;
    const void *function;
    const char *level;
    uint32_t text_bytes;
} HieraSampleKey;

/* Find or make a child. The parent, if there is no room. */
uint32_t hiera_sample_tree_child(HieraSampleTree *tree, uint32_t parent, const HieraSampleKey *key);

/* An address, and the object in which it is. */
typedef struct HieraSampleAt {
    const void *address;
    uint32_t object;
} HieraSampleAt;

/* Are there samples at an address of a node? */
bool hiera_sample_tree_has(const HieraSampleTree *tree, uint32_t node, HieraSampleAt at);

/* Add samples at an address. */
void hiera_sample_tree_add(HieraSampleTree *tree, uint32_t node, HieraSampleAt at, uint64_t count, uint64_t periods);

/* Add all of `from`, and free it. */
void hiera_sample_tree_merge(HieraSampleTree *to, HieraSampleTree *from);

#endif
