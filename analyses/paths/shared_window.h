/* The nodes (shared_nodes.h) of all processors that are in the window of this process, as HieraDependences. */
#pragma once

#include "shared_nodes.h"

/* guint32: nodes that are in two windows, in the same order in both, so that values are exchanged without names. */
typedef GArray HieraCommonNodes;

typedef struct {
    const HieraSharedNodes *shared;
    guint window;
    HieraDependences all; /* nodes as calls, without rows; the last call of each processor stands for the node after the
                           * window, or the end of the processor. Starts are as recorded; an end is the next start minus
                           * the time that the rank needs until then on an ideal network. The joins from `first_outside`
                           * on are nodes of earlier windows */
    guint32 first_outside;
    GArray *processors;        /* HieraSentProcessor */
    HieraCommonNodes **common; /* by window: for an earlier one its nodes needed here; for a later one the nodes of this
                                  one needed there */
    gboolean circles;          /* TRUE if edges of this window were left out because they close circles */
} HieraSharedWindow;

/* Make the window of this process from what all processes send. All processes must call it. */
void hiera_shared_window_init(HieraSharedWindow *window, const HieraSharedNodes *nodes);
void hiera_shared_window_clear(HieraSharedWindow *window);
