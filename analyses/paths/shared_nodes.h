/* Data that processes exchange about nodes: calls of own processors that depend on other calls, or that other calls
 * depend on.
 *
 * The run is cut into windows of time with about as many nodes each, one for each process. A node is in the window in
 * which it ends, a join in that of its time. What they depend on is in the same window or in one before, since nothing
 * ends before what it depends on. */
#pragma once

#include "dependences.h"
#include "hiera_measure.h"

/* A call or a join, named so that all processes understand it. */
typedef struct {
    gint64 time_ns;            /* start of the call, or time of the join */
    guint32 processor, number; /* of the call's operation; for a join of the first member of its collective */
    guint32 join;              /* for a join: its number within its collective, from 1; 0 if this is a call */
    guint32 n;                 /* for a join that is sent: the number of its edges, which follow */
} HieraNodeName;

/* The node that an edge comes from: mostly one that the same process sends for the same window. */
typedef struct {
    guint32 processor; /* or one of the two constants below */
    guint32 place;     /* index of the node within its processor's nodes in the window */
} HieraToldEdge;
#define HIERA_EDGE_TO_NAME HIERA_NONE /* `place` is an index into the names sent along */
#define HIERA_EDGE_TO_JOIN                                                                                             \
    (HIERA_NONE - 1) /* `place` is an index into the joins that the process sends for the window */

/* A node as it is sent: n_edges edges follow. */
typedef struct {
    guint32 number, n_edges;
    gint64 start_ns;
    gint64 finish_ns; /* start of the next node minus the time that the rank needs until then on an ideal network */
} HieraToldNode;

/* Nodes of a processor that are sent together, and the number of the next node; after the last one comes the end of the
 * processor, as a node without a number. */
typedef struct {
    guint32 processor, n_nodes, n_edges, next_number;
    guint32 process; /* the process that has sent them */
    gint64 next_ns;
} HieraToldProcessor;

typedef struct {
    const HieraDependences *of;
    const HieraScope *scope;
    guint64 *bits;        /* a bit by call of this process: 1 if it is a node */
    guint32 *ordinal;     /* by join: its number within its collective, from 1 */
    guint32 *join_window; /* by join: the window for which it is sent; HIERA_NONE if it is not sent */
    guint32 *join_place;  /* by join that is sent: its index among the joins that this process sends for the window */
    guint32 *before;      /* number of nodes before each block of 64 calls */
    guint8 *busy;         /* result of hiera_ideal_find_busy() */
    gint64 *limits;       /* by window: its last time */
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

/* Return the window that a time lies in. */
guint hiera_shared_nodes_window(const HieraSharedNodes *nodes, gint64 time_ns);

/* hiera_shared_nodes_first returns the first call of a processor that ends in a window or later;
 * hiera_shared_nodes_next returns the first node from a call on, `behind` if there is none before `behind`. */
guint32 hiera_shared_nodes_first(const HieraSharedNodes *nodes, guint32 processor, guint window);
guint32 hiera_shared_nodes_next(const HieraSharedNodes *nodes, guint32 call, guint32 behind);

/* The first data sent about a window, in arrays. */
typedef struct {
    GArray *joins;      /* HieraNodeName */
    GArray *entries;    /* HieraToldEdge: the dependences of the joins */
    GArray *names;      /* HieraNodeName, referred to by `entries` */
    GArray *processors; /* HieraToldProcessor */
} HieraToldHead;

void hiera_told_head_init(HieraToldHead *head);
void hiera_told_head_clear(HieraToldHead *head);

/* Append the first data of this process about a window. */
void hiera_shared_nodes_tell_head(const HieraSharedNodes *nodes, guint window, HieraToldHead *head);

/* Some nodes of a processor. Plain arrays, since there are as many nodes as calls. */
typedef struct {
    HieraToldNode *nodes;
    HieraToldEdge *edges;
    guint n_nodes, n_edges, room; /* room: allocated number of edges */
    GArray *names;                /* HieraNodeName, referred to by the edges */
} HieraToldNodes;
enum { HIERA_TOLD_NODES = 1024 }; /* maximum number of nodes sent together */

void hiera_told_nodes_init(HieraToldNodes *some);
void hiera_told_nodes_clear(const HieraToldNodes *some);
void hiera_told_nodes_pack(const HieraToldNodes *some, HieraPacker *to);
/* Read nodes from a message; they replace the previous contents. */
void hiera_told_nodes_unpack(HieraToldNodes *some, HieraUnpacker *from);

typedef void (*HieraToldVisit)(guint32 processor, const HieraToldNodes *some, gpointer user);

/* Visit the nodes of a window that this process has to send, processor after processor, at most HIERA_TOLD_NODES at a
 * time. */
void hiera_shared_nodes_tell(const HieraSharedNodes *nodes, guint window, HieraToldVisit visit, gpointer user);
