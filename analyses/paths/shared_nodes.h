/* Data that processes exchange about nodes: calls of own processors that depend on other calls, or that other calls
 * depend on.
 *
 * The run is cut into windows of time with about as many nodes each, one for each process. A node is in the window in
 * which it ends, a join in that of its time. What they depend on is in the same window or in one before, since nothing
 * ends before what it depends on. */
#pragma once

#include "dependences.h"
#include "hiera_measure.h"

/* Name of a call or a join by which all processes know it. */
typedef struct {
    gint64 time_ns;            /* start of the call; time of the join */
    guint32 processor, number; /* of the call's operation, or of that of the first member of the join's collective */
    guint32 join;              /* number of the join within its collective, from 1; 0: a call */
    guint32 n;                 /* of a join that is sent: number of its edges that this process sends */
} HieraNodeName;

/* An edge as it is sent: names the node that it comes from, mostly one that is sent for the same window. */
typedef struct {
    guint32 processor; /* processor of the node, a call; or one of the two constants below */
    guint32 place;     /* index of the node among its processor's nodes in the window */
} HieraSentEdge;
#define HIERA_EDGE_TO_NAME HIERA_NONE /* `place` is an index into the HieraNodeName sent along */
#define HIERA_EDGE_TO_JOIN                                                                                             \
    (HIERA_NONE - 1) /* `place` is an index into the joins that the process sends for the window */

/* A node (call) as it is sent; its n_edges edges are sent in the same order. */
typedef struct {
    guint32 number, n_edges;
    gint64 start_ns;
    gint64 finish_ns; /* start of the next node, minus what the rank needs from this node's waiting to that start */
} HieraSentNode;

/* Nodes of a processor that are sent together, and the number of the next node; after the last one comes the end of the
 * processor, as a node without a number. */
typedef struct {
    guint32 processor, n_nodes, n_edges, next_number;
    guint32 process; /* process that sends these nodes */
    gint64 next_ns;
} HieraSentProcessor;

typedef struct {
    const HieraDependences *of;
    const HieraScope *scope;
    guint64 *bits;        /* bit by call of this process: 1 if the call is a node */
    guint32 *ordinal;     /* by join: its number within its collective, from 1 */
    guint32 *join_window; /* by join: window for which this process sends it; HIERA_NONE: another process sends it */
    guint32 *join_place;  /* by join that is sent: its index among the joins that this process sends for its window */
    guint32 *before;      /* by block of 64 calls: number of nodes before the block */
    guint8 *busy;         /* by call site, of hiera_ideal_find_busy(): 1 if calls last as recorded */
    gint64 *limits;       /* by window: its last time, inclusive */
    guint n_windows;
} HieraSharedNodes;

/* Find the nodes; all processes must call it. @param of  the dependences that this process knows, of
 * hiera_dependences_find_part(); must outlive the nodes */
void hiera_shared_nodes_init(HieraSharedNodes *nodes, const HieraDependences *of, const HieraScope *scope);
void hiera_shared_nodes_clear(HieraSharedNodes *nodes);

static inline gboolean hiera_shared_nodes_has(const HieraSharedNodes *nodes, guint32 call)
{
    return (gboolean)(nodes->bits[call / 64] >> call % 64 & 1);
}

/* Return the index of the window that has a time. */
guint hiera_shared_nodes_window(const HieraSharedNodes *nodes, gint64 time_ns);

/* hiera_shared_nodes_first returns the first call of a processor that ends in a window or later;
 * hiera_shared_nodes_next returns the first node from a call on, `behind` if there is none before `behind`. */
guint32 hiera_shared_nodes_first(const HieraSharedNodes *nodes, guint32 processor, guint window);
guint32 hiera_shared_nodes_next(const HieraSharedNodes *nodes, guint32 call, guint32 behind);

/* What a process sends first about a window: joins, and how many nodes of each processor will follow. */
typedef struct {
    GArray *joins;      /* HieraNodeName: joins of the window */
    GArray *entries;    /* HieraSentEdge: the edges of `joins`, join after join */
    GArray *names;      /* HieraNodeName: nodes that `entries` name */
    GArray *processors; /* HieraSentProcessor */
} HieraSentHead;

void hiera_sent_head_init(HieraSentHead *head);
void hiera_sent_head_clear(HieraSentHead *head);

/* Append to `head` what this process sends first about a window. */
void hiera_shared_nodes_fill_head(const HieraSharedNodes *nodes, guint window, HieraSentHead *head);

/* Nodes of one processor that are sent together. Plain arrays, because there are nearly as many nodes as calls. */
typedef struct {
    HieraSentNode *nodes;
    HieraSentEdge *edges;
    guint n_nodes, n_edges, room; /* `room`: number of edges that are allocated */
    GArray *names;                /* HieraNodeName: nodes that `edges` name */
} HieraSentNodes;
enum { HIERA_SENT_NODES = 1024 }; /* greatest number of nodes in one HieraSentNodes */

void hiera_sent_nodes_init(HieraSentNodes *some);
void hiera_sent_nodes_clear(const HieraSentNodes *some);
void hiera_sent_nodes_pack(const HieraSentNodes *some, HieraPacker *to);
/* Unpack nodes that another process has packed; they replace the present ones. */
void hiera_sent_nodes_unpack(HieraSentNodes *some, HieraUnpacker *from);

typedef void (*HieraSentVisit)(guint32 processor, const HieraSentNodes *some, gpointer user);

/* Visit the nodes of a window that this process has to send, processor after processor, at most HIERA_SENT_NODES at a
 * time. */
void hiera_shared_nodes_visit(const HieraSharedNodes *nodes, guint window, HieraSentVisit visit, gpointer user);
