/* The nodes of all processors in the window of this process (shared_nodes.h), as dependences. */
#pragma once

#include "shared_nodes.h"

/* Nodes that two windows know, guint32, in the same order in both. */
typedef GArray HieraCommonNodes;

typedef struct {
    const HieraSharedNodes *shared;
    guint window;
    HieraDependences all; /* nodes as calls, without rows; of each processor its last call is the node that comes next,
                             or the end of the processor. Starts are those that were recorded; an end is as long before
                             the next start as a rank needs from one to the next on an ideal network. The joins from
                             `first_outside` on are nodes of earlier windows */
    guint32 first_outside;
    GArray *processors;        /* HieraToldProcessor */
    HieraCommonNodes **common; /* by window: nodes of it here, if it is an earlier one; nodes of this one there */
    gboolean circles;          /* edges that close circles were left out of it */
} HieraSharedWindow;

/* All processes call it: each tells what it knows of each window. */
void hiera_shared_window_init(HieraSharedWindow *window, const HieraSharedNodes *nodes);
void hiera_shared_window_clear(HieraSharedWindow *window);
