/* Declarations that the files of topologies share: the object, and the names of its methods in traces, which depend on
 * its class. */
#ifndef OOPS_TOPOLOGY_H
#define OOPS_TOPOLOGY_H

#include "internal.h"

/* Methods of every topology, except those with a direction: X(class, method). */
#define OOPS_TOPOLOGY_METHODS(X, class)                                                                                \
    X(class, allreduce)                                                                                                \
    X(class, barrier)                                                                                                  \
    X(class, bcast)                                                                                                    \
    X(class, col)                                                                                                      \
    X(class, free)                                                                                                     \
    X(class, gather)                                                                                                   \
    X(class, gatherv)                                                                                                  \
    X(class, max)                                                                                                      \
    X(class, min)                                                                                                      \
    X(class, prod)                                                                                                     \
    X(class, recv)                                                                                                     \
    X(class, reduce)                                                                                                   \
    X(class, row)                                                                                                      \
    X(class, scan)                                                                                                     \
    X(class, scatter)                                                                                                  \
    X(class, scatterv)                                                                                                 \
    X(class, send)                                                                                                     \
    X(class, split)                                                                                                    \
    X(class, sum)

typedef struct OopsTopologyClass {
#define X(class, method) const char *method;
    OOPS_TOPOLOGY_METHODS(X, )
#undef X
    const char *to[OOPS_DIRECTIONS], *from[OOPS_DIRECTIONS];
    bool has_line;     /* it has neighbours Previous and Next */
    bool is_cartesian; /* it has rows and columns, with their neighbours; Linear has one row */
    bool is_flat;      /* of these neighbours it has only West and East */
    bool closed;       /* true for a torus */
} OopsTopologyClass;

struct OopsTopology {
    const OopsTopologyClass *class;
    OopsGroup *group; /* the user's group, or the group of owned_group */
    OopsGroup *owned_group;
    int rows, cols, at_row, at_col;
    bool closed;                    /* true if the ends are joined */
    OopsTopology *pipe, *row, *col; /* pipes of a grid: of all members, of its row, of its column */
    int neighbour[OOPS_DIRECTIONS]; /* a rank, OOPS_NOBODY or OOPS_ERR_DIRECTION */
};

/* Name of a method in a trace: OOPS_NAME(topology, bcast). */
#define OOPS_NAME(topology, method) ((topology) ? (topology)->class->method : "Topology::" #method)

#endif
