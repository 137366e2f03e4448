/* The call tree of a thread: a node for each call site below the same parent, with sums. With the lock held.
 *
 * Idea: nodes and parts never move, so that open regions and the table of awaited messages can point to them. Programs
 * repeat themselves: each node remembers the node that followed it last time, and that node is tried before the hash
 * table. Beyond the limits everything is summed in one node or part for the rest. */
#pragma once

#include "labels.h"
#include "record/record.h"
#include "spread.h"
#include "waits.h"
#include "write/filtered_totals.h"

/* Largest number of nodes of a thread, of nodes for the rest in addition, and of parts of a node. */
enum { HIERA_PROFILE_NODES = 4096, HIERA_PROFILE_OTHERS = 512, HIERA_PROFILE_PARTS = 1000 };

/* Direction of the messages of a part, if its node has both directions; or that its peer is the root. */
typedef enum HieraPartWay {
    HIERA_PART_WAY_ONLY,
    HIERA_PART_WAY_SEND,
    HIERA_PART_WAY_RECEIVE,
    HIERA_PART_WAY_ROOT,
    HIERA_PART_WAY_OTHER
} HieraPartWay;

/* Value of `peer` for no peer. */
#define HIERA_NO_PEER INT32_MIN

typedef struct HieraPartKey {
    uint32_t comm; /* number of the communicator; HIERA_SUM_NO_COMM: none */
    int32_t peer;
    HieraPartWay way;
} HieraPartKey;

/* Sums of a node for one peer in one communicator. */
typedef struct HieraProfilePart {
    struct HieraProfileNode *node;
    struct HieraProfilePart *next; /* next part of the same node */
    HieraPartKey key;
    bool has_time;
    uint64_t calls, time_ns;
    int64_t sent, received; /* bytes; -1: no call of the part has any */
} HieraProfilePart;

/* Values of `call` for nodes that do not come from records. */
#define HIERA_NODE_OTHER UINT32_MAX
#define HIERA_NODE_FRAME (UINT32_MAX - 1) /* an element that is open in the file (seam.h) */

/* Sums of the times between the calls of a node (turns.h). */
typedef struct HieraGaps {
    uint64_t calls, time_ns, min_ns, max_ns;
    HieraSpread spread;
} HieraGaps;

typedef struct HieraProfileNode {
    struct HieraProfileNode *parent;
    const void *site;
    uint64_t what;                                /* region: number of its label; function: its address; else 0 */
    uint32_t call;                                /* number of the call, as in a record */
    uint32_t open;                                /* number of calls that have not ended */
    struct HieraProfileNode *next, *first, *last; /* next node below the same parent; first and last child */
    struct HieraProfileNode *after;               /* node that followed this one last time */
    struct HieraProfileNode *touched;             /* next node in the list of nodes whose last_ticks are set */
    uint64_t calls, missed, failed;
    uint64_t time_ns, min_ns, max_ns;
    uint64_t first_ns, last_ns; /* start of the first call; end of the last call */
    uint64_t open_ticks;        /* start of the first open call */
    uint64_t last_ticks;        /* end of the last call, in ticks not converted yet; 0: none */
    int64_t sent, received;
    HieraSpread times, sizes;
    HieraProfileWaits *waits; /* waiting times; NULL: none is known */
    HieraGaps *gaps;          /* times between the calls; NULL: not known */
    double *counted; /* one value for each counter, then one for each that says whether it is known; NULL: none */
    HieraProfilePart *first_part, *last_part, *near_part;
    uint32_t n_parts;
    uint32_t left; /* number of calls that longjmp or an exception has left */
} HieraProfileNode;

/* An open region. */
typedef struct HieraProfileOpen {
    HieraProfileNode *node; /* parent of the calls inside the region */
    uint64_t start;
    uint32_t sum;   /* row + 1 if the region is filtered and only counted; 0: not filtered */
    uint32_t frame; /* number + 1 of its element if that is open in the file (seam.h); else 0 */
    bool is_hidden; /* true if it has no node of its own */
} HieraProfileOpen;

typedef struct HieraProfile {
    HieraProfileNode root;
    HieraProfileNode **nodes; /* hash table, at most half full */
    HieraProfilePart **parts; /* hash table, at most half full */
    uint32_t n_nodes, n_others, room_nodes, n_parts, room_parts;
    HieraLabels *labels; /* the tree's own labels, or those shared by several trees (turns.h) */
    HieraLabels own_labels;
    HieraSums sums;         /* sums of filtered operations */
    HieraProfileOpen *open; /* open regions, the outermost first */
    uint32_t n_open, room_open;
    uint32_t unkept; /* number of open regions for which there was no memory; they are inside those of `open` */
    HieraProfileNode *told, *touched;
    HieraProfileNode *shown;  /* node that has one call more while the tree is written; or NULL */
    HieraProfileNode *holder; /* node of the last call; calls in its callbacks follow; NULL: none */
    struct HieraSeam *seam;   /* switch-over from single operations; NULL: there was none */
    size_t seam_bytes;
    struct HieraTraceFile *stream; /* file whose open elements this tree uses (seam.h, turns.h); NULL: none */
    uint64_t lost;                 /* number of operations lost for lack of memory */
    uint64_t lost_messages;        /* number of messages not counted for lack of room */
    unsigned thread;               /* number of the thread; HIERA_PROFILE_ENDED: several ended threads */
    struct HieraProfile *next;     /* next in the list of all trees */
} HieraProfile;

#define HIERA_PROFILE_ENDED UINT32_MAX

extern HieraProfile *hiera_profiles; /* list of all trees */

/* The record that is being added: if the process is killed in between, this says how far the adding got (fold.h). */
typedef struct HieraAdding {
    HieraProfile *profile;
    char **mark;               /* where the end of the added records is stored */
    const HieraRecord *record; /* record that is being added; NULL: none */
    HieraProfileNode *node;    /* node of the record; NULL: nothing is changed yet */
    uint64_t calls;            /* number of calls that the node will have */
    uint32_t n_open;           /* number of open regions of the profile before */
} HieraAdding;

extern HieraAdding hiera_profile_adding;

/* Make an empty tree. NULL if there is no memory. */
HieraProfile *hiera_profile_new(unsigned thread);
void hiera_profile_free(HieraProfile *profile);

/* Return the node of the innermost open region: parent of a call that is made now. */
static inline HieraProfileNode *hiera_profile_inside(HieraProfile *profile)
{
    return profile->n_open > 0 ? profile->open[profile->n_open - 1].node : &profile->root;
}

/* Add an open region. False: there is no memory. */
bool hiera_profile_push(HieraProfile *profile, HieraProfileOpen open);

/* Find or make a node; beyond the limit, return the node for the rest. NULL: there is no memory. */
HieraProfileNode *hiera_node_search(HieraProfile *profile, HieraProfileNode *parent, uint32_t call, uint64_t what,
                                    const void *site);

static inline HieraProfileNode *hiera_node_find(HieraProfile *profile, HieraProfileNode *parent, uint32_t call,
                                                uint64_t what, const void *site)
{
    HieraProfileNode *near = profile->told->after;
    if (HIERA_LIKELY(near && near->site == site && near->parent == parent && near->call == call && near->what == what))
        return profile->told = near;
    return hiera_node_search(profile, parent, call, what, site);
}

/* Count the begin of a call of this node. */
static inline void hiera_node_begin(HieraProfileNode *node, uint64_t start)
{
    hiera_profile_adding.calls = node->calls + 1;
    hiera_profile_adding.node = node;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (HIERA_UNLIKELY(node->calls++ == 0))
        node->first_ns = hiera_clock_ns(start);
}

/* Count an open call, until `open` is decremented. */
static inline void hiera_node_open(HieraProfileNode *node, uint64_t start)
{
    if (node->open++ == 0)
        node->open_ticks = start;
}

/* The call ends, in `parent`. If `parent` is this node (the node for the rest may be inside itself), its time is in the
 * node already. */
static inline void hiera_node_end(HieraProfile *profile, HieraProfileNode *node, const HieraProfileNode *parent,
                                  uint64_t ns, uint64_t finish)
{
    node->time_ns += HIERA_LIKELY(node != parent) ? ns : 0;
    node->min_ns = ns < node->min_ns ? ns : node->min_ns;
    node->max_ns = ns > node->max_ns ? ns : node->max_ns;
    hiera_spread_add(&node->times, hiera_spread_bin(ns), 1);
    if (HIERA_UNLIKELY(node->last_ticks == 0)) {
        node->touched = profile->touched;
        profile->touched = node;
    }
    node->last_ticks = finish;
}

/* The clock will get a new anchor: convert the end times in ticks that were added since the last one. */
void hiera_profile_settle(HieraProfile *profile);

static inline void hiera_bytes_add(int64_t *sum, int64_t bytes)
{
    if (bytes >= 0)
        *sum = (*sum >= 0 ? *sum : 0) + bytes;
}

/* Find or make a part of a node; beyond the limit, return the part for the rest. NULL: there is no memory. */
HieraProfilePart *hiera_part_search(HieraProfile *profile, HieraProfileNode *node, HieraPartKey key);

static inline bool hiera_part_is(const HieraProfilePart *part, HieraPartKey key)
{
    return part->key.peer == key.peer && part->key.comm == key.comm && part->key.way == key.way;
}

static inline HieraProfilePart *hiera_part_find(HieraProfile *profile, HieraProfileNode *node, HieraPartKey key)
{
    if (HIERA_LIKELY(node->near_part && hiera_part_is(node->near_part, key)))
        return node->near_part;
    return hiera_part_search(profile, node, key);
}
