/* What a process tells the others of the calls of its own processors that depend on others or on which others depend:
 * nodes.
 *
 * The run is cut into windows of time with about as many nodes each, one for each process. A node is in the window in
 * which it ends, a join in that of its time. What they depend on is in the same window or in one before, since nothing
 * ends before what it depends on. */
#pragma once

#include "dependences.h"
#include "hiera_measure.h"

/* A call, or a join, as all processes know it. */
typedef struct {
    gint64 time_ns;            /* when it began; of a join its time */
    guint32 processor, number; /* of the operation; of a join that of the first member of its collective */
    guint32 join;              /* which one of its collective, from 1; 0: a call */
    guint32 n;                 /* of a join that is told: how many edges follow, to what it depends on */
} HieraNodeName;

/* What a node depends on: mostly a node that the same process tells of the same window. */
typedef struct {
    guint32 processor; /* or one of these: */
    guint32 place;     /* which node of the processor in the window, from 0 */
} HieraToldEdge;
#define HIERA_EDGE_TO_NAME HIERA_NONE /* `place` is that of a name among those that are told with it */
#define HIERA_EDGE_TO_JOIN                                                                                             \
    (HIERA_NONE - 1) /* `place` is that of a join among those that the process tells of the window */

/* A node that is told: n_edges edges follow. */
typedef struct {
    guint32 number, n_edges;
    gint64 start_ns;
    gint64 finish_ns; /* as long before the start of the next node as a rank needs until then on an ideal network */
} HieraToldNode;

/* Nodes of a processor that are told together, and the one that comes next; behind the last one the end of the
 * processor, as a node without a number. */
typedef struct {
    guint32 processor, n_nodes, n_edges, next_number;
    guint32 process; /* that has told them */
    gint64 next_ns;
} HieraToldProcessor;

typedef struct {
    const HieraDependences *of;
    const HieraScope *scope;
    guint64 *bits;        /* a bit by call of this process: it is a node */
    guint32 *ordinal;     /* by join: which one of its collective, from 1 */
    guint32 *join_window; /* by join of which something is told: its window; HIERA_NONE for others */
    guint32 *join_place;  /* by such a join: which one of those that this process tells of the window */
    guint32 *before;      /* by 64 calls: how many nodes there are before them */
    guint8 *busy;         /* hiera_ideal_find_busy() */
    gint64 *limits;       /* by window, its last time */
    guint n_windows;
} HieraSharedNodes;

/* All processes call it. @param of  what this process knows, of hiera_dependences_find_part(); must outlive the nodes
 */
void hiera_shared_nodes_init(HieraSharedNodes *nodes, const HieraDependences *of, const HieraScope *scope);
void hiera_shared_nodes_clear(HieraSharedNodes *nodes);

static inline gboolean hiera_shared_nodes_has(const HieraSharedNodes *nodes, guint32 call)
{
    return (gboolean)(nodes->bits[call / 64] >> call % 64 & 1);
}

/* Return the window of a time. */
guint hiera_shared_nodes_window(const HieraSharedNodes *nodes, gint64 time_ns);

/* Return the first node of a processor from a window on, `behind` if there is none: its first call from
 * hiera_shared_nodes_first() on that is one. */
guint32 hiera_shared_nodes_first(const HieraSharedNodes *nodes, guint32 processor, guint window);
guint32 hiera_shared_nodes_next(const HieraSharedNodes *nodes, guint32 call, guint32 behind);

/* What is told first about a window, in arrays. */
typedef struct {
    GArray *joins;      /* HieraNodeName */
    GArray *entries;    /* HieraToldEdge: what joins depend on */
    GArray *names;      /* HieraNodeName, of entries */
    GArray *processors; /* HieraToldProcessor */
} HieraToldHead;

void hiera_told_head_init(HieraToldHead *head);
void hiera_told_head_clear(HieraToldHead *head);

/* Add what this process has to tell first about a window. */
void hiera_shared_nodes_tell_head(const HieraSharedNodes *nodes, guint window, HieraToldHead *head);

/* Some nodes of a processor. They are plain arrays, since there are as many as calls. */
typedef struct {
    HieraToldNode *nodes;
    HieraToldEdge *edges;
    guint n_nodes, n_edges, room; /* of edges */
    GArray *names;                /* HieraNodeName, of edges */
} HieraToldNodes;
enum { HIERA_TOLD_NODES = 1024 }; /* at most */

void hiera_told_nodes_init(HieraToldNodes *some);
void hiera_told_nodes_clear(const HieraToldNodes *some);
void hiera_told_nodes_pack(const HieraToldNodes *some, HieraPacker *to);
/* Replaces what there is. */
void hiera_told_nodes_unpack(HieraToldNodes *some, HieraUnpacker *from);

typedef void (*HieraToldVisit)(guint32 processor, const HieraToldNodes *some, gpointer user);

/* Visit the nodes of a window that this process has to tell, processor after processor, some at a time. */
void hiera_shared_nodes_tell(const HieraSharedNodes *nodes, guint window, HieraToldVisit visit, gpointer user);
