/* Declarations that the files of topologies share: the object, and the names of its methods in traces, which depend on
 * its class. */
#ifndef OOPS_TOPOLOGY_H
#define OOPS_TOPOLOGY_H

#include "internal.h"

/* Methods of every topology class, except those for messages in a direction: X(class, method). */
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
    bool has_line;     /* true if processes have neighbours Previous and Next */
    bool is_cartesian; /* true if there are rows and columns, with neighbours; TopologyLinear has one row */
    bool is_flat;      /* true if West and East are the only neighbours in rows and columns */
    bool closed;       /* true if opposite borders are joined: a torus */
} OopsTopologyClass;

struct OopsTopology {
    const OopsTopologyClass *class;
    OopsGroup *group; /* the group that the user gave, or owned_group */
    OopsGroup *owned_group;
    int rows, cols, at_row, at_col;
    bool closed;                    /* true if both ends of each line are joined */
    OopsTopology *pipe, *row, *col; /* pipes of a grid: of all members; of this process's row; of its column */
    int neighbour[OOPS_DIRECTIONS]; /* by direction: rank of the neighbour, OOPS_NOBODY, or OOPS_ERR_DIRECTION */
};

/* Name of a method in a trace, by the topology's class: OOPS_NAME(topology, bcast). */
#define OOPS_NAME(topology, method) ((topology) ? (topology)->class->method : "Topology::" #method)

#endif
