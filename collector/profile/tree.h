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

/* Maxima: nodes of a thread; besides these, nodes "(other)" for calls beyond that limit; parts of a node. */
enum { HIERA_PROFILE_NODES = 4096, HIERA_PROFILE_OTHERS = 512, HIERA_PROFILE_PARTS = 1000 };

/* Direction of a part's messages, if its node both sends and receives; ROOT: the peer is the root of a collective. */
typedef enum HieraPartWay {
    HIERA_PART_WAY_ONLY,
    HIERA_PART_WAY_SEND,
    HIERA_PART_WAY_RECEIVE,
    HIERA_PART_WAY_ROOT,
    HIERA_PART_WAY_OTHER
} HieraPartWay;

/* Value of HieraPartKey.peer: the calls have no peer. */
#define HIERA_NO_PEER INT32_MIN

typedef struct HieraPartKey {
    uint32_t comm; /* number of the communicator; HIERA_SUM_NO_COMM: none */
    int32_t peer;
    HieraPartWay way;
} HieraPartKey;

/* Sums of a node's calls and messages with one peer in one communicator. */
typedef struct HieraProfilePart {
    struct HieraProfileNode *node;
    struct HieraProfilePart *next; /* next part of the same node */
    HieraPartKey key;
    bool has_time;
    uint64_t calls, time_ns;
    int64_t sent, received; /* sums of bytes; -1: no call or message has bytes */
} HieraProfilePart;

/* Values of HieraProfileNode.call that are not the `call` of a record. */
#define HIERA_NODE_OTHER UINT32_MAX
#define HIERA_NODE_FRAME (UINT32_MAX - 1) /* node of an element that is open in the file (switch_over.h) */

/* Times before the calls of a node, since the call before, of any node, has ended (repeats.h). */
typedef struct HieraGaps {
    uint64_t calls, time_ns, min_ns, max_ns;
    HieraSpread spread;
} HieraGaps;

typedef struct HieraProfileNode {
    struct HieraProfileNode *parent;
    const void *site;
    uint64_t what; /* region: number of its name (labels.h); function: its address; else 0 */
    uint32_t call; /* as in HieraRecord.call; or HIERA_NODE_… */
    uint32_t open; /* number of the node's calls that have not ended */
    struct HieraProfileNode *next, *first, *last; /* next child of the same parent; first and last child */
    struct HieraProfileNode *after;               /* node of the call that came after a call of this node last time */
    struct HieraProfileNode *touched;             /* next node in the tree's list of nodes with last_ticks */
    uint64_t calls, missed, failed;
    uint64_t time_ns, min_ns, max_ns;
    uint64_t first_ns, last_ns; /* start of the node's first call; end of its last call */
    uint64_t open_ticks;        /* start of the first of the calls that have not ended */
    uint64_t last_ticks;        /* end of the last call, in ticks, still to be converted to last_ns; 0: none */
    int64_t sent, received;
    HieraSpread times, sizes;
    HieraProfileWaits *waits; /* waits for other members; NULL: not measured */
    HieraGaps *gaps;          /* times before the calls; NULL: not measured */
    double *counted; /* sum or maximum of each counter, then for each whether it has a value; NULL: no counters */
    HieraProfilePart *first_part, *last_part, *near_part;
    uint32_t n_parts;
    uint32_t left; /* number of calls that longjmp or an exception left */
} HieraProfileNode;

/* Entry of the stack of open regions. */
typedef struct HieraProfileOpen {
    HieraProfileNode *node; /* the parent node of calls inside the region */
    uint64_t start;
    uint32_t sum;     /* 1 + row in HieraProfile.sums if the region is filtered; 0: it is not */
    uint32_t frame;   /* 1 + index of the region's element if it is open in the file (switch_over.h); else 0 */
    bool is_filtered; /* whether the region has no node of its own */
} HieraProfileOpen;

typedef struct HieraProfile {
    HieraProfileNode root;
    HieraProfileNode **nodes; /* hash table of all nodes, at most half full */
    HieraProfilePart **parts; /* hash table of the parts of all nodes, at most half full */
    uint32_t n_nodes, n_others, room_nodes, n_parts, room_parts;
    HieraLabels *labels; /* numbers of names: own_labels, or those shared by several trees (repeats.h) */
    HieraLabels own_labels;
    HieraSums sums;         /* counts of filtered operations */
    HieraProfileOpen *open; /* stack of open regions, the outermost first */
    uint32_t n_open, room_open;
    uint32_t unkept; /* number of open regions inside those of `open`, for which there was no memory */
    HieraProfileNode *found, *touched;
    HieraProfileNode *shown;  /* node to which the call in progress is added while the tree is written; NULL: none */
    HieraProfileNode *holder; /* node of the last MPI call, for the calls in its callbacks, which follow; NULL: none */
    struct HieraSwitchOver *switch_over; /* the switch-over from single operations to sums; NULL: there was none */
    size_t switch_over_bytes;
    struct HieraTraceFile *stream; /* file with the elements or sums that this tree belongs to; NULL: none */
    uint64_t lost;                 /* number of operations lost for lack of memory */
    uint64_t lost_messages;        /* number of messages not counted for lack of room */
    unsigned thread;               /* number of the thread; HIERA_PROFILE_ENDED: the tree is of several ended threads */
    struct HieraProfile *next;     /* next tree in the list hiera_profiles */
} HieraProfile;

#define HIERA_PROFILE_ENDED UINT32_MAX

extern HieraProfile *hiera_profiles; /* linked list of all trees */

/* State of adding one record to a tree: tells after a kill how much of the record was added (fold.h). */
typedef struct HieraAdding {
    HieraProfile *profile;
    char **mark;               /* where the address is stored up to which records are added */
    const HieraRecord *record; /* the record that is being added; NULL: none */
    HieraProfileNode *node;    /* the node that the record changes; NULL: nothing is changed yet */
    uint64_t calls;            /* value that the node's `calls` gets when the record is added */
    uint32_t n_open;           /* number of open regions of the tree before the record was added */
} HieraAdding;

extern HieraAdding hiera_profile_adding;

/* Make an empty tree, and add it to the list. NULL: there is no memory. */
HieraProfile *hiera_profile_new(unsigned thread);
void hiera_profile_free(HieraProfile *profile);

/* Return the node of the innermost open region, which is the parent of calls made now. */
static inline HieraProfileNode *hiera_profile_inside(HieraProfile *profile)
{
    return profile->n_open > 0 ? profile->open[profile->n_open - 1].node : &profile->root;
}

/* Add a region that begins to the stack of open regions. False: there is no memory. */
bool hiera_profile_push(HieraProfile *profile, HieraProfileOpen open);

/* Find or make a node; beyond the limit, return a node "(other)". NULL: there is no memory. */
HieraProfileNode *hiera_node_search(HieraProfile *profile, HieraProfileNode *parent, uint32_t call, uint64_t what,
                                    const void *site);

static inline HieraProfileNode *hiera_node_find(HieraProfile *profile, HieraProfileNode *parent, uint32_t call,
                                                uint64_t what, const void *site)
{
    HieraProfileNode *near = profile->found->after;
    if (HIERA_LIKELY(near && near->site == site && near->parent == parent && near->call == call && near->what == what))
        return profile->found = near;
    return hiera_node_search(profile, parent, call, what, site);
}

/* Count a call of this node at its begin. `start`: time in ticks. */
static inline void hiera_node_begin(HieraProfileNode *node, uint64_t start)
{
    hiera_profile_adding.calls = node->calls + 1;
    hiera_profile_adding.node = node;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (HIERA_UNLIKELY(node->calls++ == 0))
        node->first_ns = hiera_clock_ns(start);
}

/* Count a call as not ended, until the caller decrements `open`. */
static inline void hiera_node_open(HieraProfileNode *node, uint64_t start)
{
    if (node->open++ == 0)
        node->open_ticks = start;
}

/* Count the end of a call of this node, made in `parent`. If `parent` is the same node (a node "(other)" may be inside
 * itself), its time includes the call already. */
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

/* Convert end times in ticks to ns, by the clock's present anchor, before the clock gets a new one. */
void hiera_profile_settle(HieraProfile *profile);

static inline void hiera_bytes_add(int64_t *sum, int64_t bytes)
{
    if (bytes >= 0)
        *sum = (*sum >= 0 ? *sum : 0) + bytes;
}

/* Find or make a part of a node; beyond the limit, return the part "(other)". NULL: there is no memory. */
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
