/* The call tree of a thread: a node for each call site below the same parent, with sums. With the lock held.
 *
 * Idea: nodes and parts never move, so that what is open and what is awaited point to them. Programs repeat themselves:
 * each node remembers which one was told after it, and that one is tried before the hash table. Beyond the limits
 * everything is summed in one node or part for the rest. */
#ifndef HIERA_PROFILE_TREE_H
#define HIERA_PROFILE_TREE_H

#include "labels.h"
#include "record/record.h"
#include "spread.h"
#include "waits.h"
#include "write/filtered_totals.h"

/* Largest number of nodes of a thread, of nodes for the rest beside them, and of parts of a node. */
enum { HIERA_PROFILE_NODES = 4096, HIERA_PROFILE_OTHERS = 512, HIERA_PROFILE_PARTS = 1000 };

/* Which way the messages of a part went, if its node has both; or that its peer is the root. */
typedef enum HieraPartWay {
    HIERA_PART_WAY_ONLY,
    HIERA_PART_WAY_SEND,
    HIERA_PART_WAY_RECEIVE,
    HIERA_PART_WAY_ROOT,
    HIERA_PART_WAY_OTHER
} HieraPartWay;

/* "No peer" as a rank. */
#define HIERA_NO_PEER INT32_MIN

typedef struct HieraPartKey {
    uint32_t comm; /* number; HIERA_SUM_NO_COMM: none */
    int32_t peer;
    HieraPartWay way;
} HieraPartKey;

/* What a node did with one peer in one communicator. */
typedef struct HieraProfilePart {
    struct HieraProfileNode *node;
    struct HieraProfilePart *next; /* of the node */
    HieraPartKey key;
    bool has_time;
    uint64_t calls, time_ns;
    int64_t sent, received; /* -1: none of the calls has any */
} HieraProfilePart;

/* Nodes that are no records: values of `call`. */
#define HIERA_NODE_OTHER UINT32_MAX
#define HIERA_NODE_FRAME (UINT32_MAX - 1) /* an element that is open in the file (seam.h) */

/* Times before the calls of a node (turns.h). */
typedef struct HieraGaps {
    uint64_t calls, time_ns, min_ns, max_ns;
    HieraSpread spread;
} HieraGaps;

typedef struct HieraProfileNode {
    struct HieraProfileNode *parent;
    const void *site;
    uint64_t what;                                /* region: number of its label; function: its address; else 0 */
    uint32_t call;                                /* as in a record */
    uint32_t open;                                /* calls that have not ended */
    struct HieraProfileNode *next, *first, *last; /* below the same parent; first and last child */
    struct HieraProfileNode *after;               /* that was told after this one last time */
    struct HieraProfileNode *touched;             /* the next one whose last_ticks count */
    uint64_t calls, missed, failed;
    uint64_t time_ns, min_ns, max_ns;
    uint64_t first_ns, last_ns; /* start of the first one; end of the last one */
    uint64_t open_ticks;        /* start of the first one that is open */
    uint64_t last_ticks;        /* not 0: the end of the last one is not converted yet */
    int64_t sent, received;
    HieraSpread times, sizes;
    HieraProfileWaits *waits; /* NULL: none is known */
    HieraGaps *gaps;          /* NULL: not known */
    double *counted;          /* one for each counter, then whether it is known; NULL: none */
    HieraProfilePart *first_part, *last_part, *near_part;
    uint32_t n_parts;
    uint32_t left; /* calls that longjmp or an exception has left */
} HieraProfileNode;

/* A region that is open. */
typedef struct HieraProfileOpen {
    HieraProfileNode *node; /* what is inside belongs to it */
    uint64_t start;
    uint32_t sum;   /* region that is only counted: its row + 1 */
    uint32_t frame; /* open in the file: its number + 1 (seam.h) */
    bool is_hidden; /* it has no node of its own */
} HieraProfileOpen;

typedef struct HieraProfile {
    HieraProfileNode root;
    HieraProfileNode **nodes; /* hash table, at most half full */
    HieraProfilePart **parts; /* likewise */
    uint32_t n_nodes, n_others, room_nodes, n_parts, room_parts;
    HieraLabels *labels; /* its own ones, or those of several trees (turns.h) */
    HieraLabels own_labels;
    HieraSums sums;         /* of filtered operations */
    HieraProfileOpen *open; /* the outermost first */
    uint32_t n_open, room_open;
    uint32_t unkept; /* open regions for which there was no memory, inside these */
    HieraProfileNode *told, *touched;
    HieraProfileNode *shown;  /* has one call more while it is written */
    HieraProfileNode *holder; /* of the call reported last: calls in its callbacks follow; NULL: it has no node */
    struct HieraSeam *seam;   /* where it follows single operations; NULL: it does not */
    size_t seam_bytes;
    struct HieraTraceFile *stream; /* whose elements it has, beside single ones (seam.h, turns.h); NULL: none */
    uint64_t lost;                 /* operations for which there was no memory */
    uint64_t lost_messages;        /* that were not counted, for want of room */
    unsigned thread;               /* its number; HIERA_PROFILE_ENDED */
    struct HieraProfile *next;     /* of all there are */
} HieraProfile;

#define HIERA_PROFILE_ENDED UINT32_MAX

extern HieraProfile *hiera_profiles; /* all there are */

/* The record that is being added: if the process is killed meanwhile, it is known how far that went (fold.h). */
typedef struct HieraAdding {
    HieraProfile *profile;
    char **mark;               /* where the end of what is added is noted */
    const HieraRecord *record; /* NULL: none */
    HieraProfileNode *node;    /* that it belongs to; NULL: nothing is changed yet */
    uint64_t calls;            /* of that node afterwards */
    uint32_t n_open;           /* of the profile before */
} HieraAdding;

extern HieraAdding hiera_profile_adding;

/* NULL if there is no memory. */
HieraProfile *hiera_profile_new(unsigned thread);
void hiera_profile_free(HieraProfile *profile);

/* In what is a call that is made now? */
static inline HieraProfileNode *hiera_profile_inside(HieraProfile *profile)
{
    return profile->n_open > 0 ? profile->open[profile->n_open - 1].node : &profile->root;
}

/* A region is open. False: there is no memory. */
bool hiera_profile_push(HieraProfile *profile, HieraProfileOpen open);

/* Find or make a node; beyond the limit, the one for the rest. NULL: there is no memory. */
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

/* A call of this node begins, and ends. */
static inline void hiera_node_begin(HieraProfileNode *node, uint64_t start)
{
    hiera_profile_adding.calls = node->calls + 1;
    hiera_profile_adding.node = node;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (HIERA_UNLIKELY(node->calls++ == 0))
        node->first_ns = hiera_clock_ns(start);
}

/* A call is open from now on, until `open` is reduced. */
static inline void hiera_node_open(HieraProfileNode *node, uint64_t start)
{
    if (node->open++ == 0)
        node->open_ticks = start;
}

/* … in `parent`. What is inside the node for the rest may belong to it as well: then its time is in that node already.
 */
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

/* The clock has a new anchor soon: convert the ends that were told since. */
void hiera_profile_settle(HieraProfile *profile);

static inline void hiera_bytes_add(int64_t *sum, int64_t bytes)
{
    if (bytes >= 0)
        *sum = (*sum >= 0 ? *sum : 0) + bytes;
}

/* Find or make a part of a node; beyond the limit, the one for the rest. NULL: there is no memory. */
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

#endif
