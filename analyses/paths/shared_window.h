/* The nodes of all processors in the window of this process (shared_nodes.h), as dependences. */
#pragma once

#include "shared_nodes.h"

/* guint32: the nodes that two windows have in common, in the same order in both. */
typedef GArray HieraCommonNodes;

typedef struct {
    const HieraSharedNodes *shared;
    guint window;
    HieraDependences all; /* nodes as calls, without rows; the last call of each processor stands for the node after the
                           * window, or the end of the processor. Starts are as recorded; an end is the next start minus
                           * the time that the rank needs until then on an ideal network. The joins from `first_outside`
                           * on are nodes of earlier windows */
    guint32 first_outside;
    GArray *processors;        /* HieraToldProcessor */
    HieraCommonNodes **common; /* by window: for an earlier one its nodes needed here; for a later one the nodes of this
                                  one needed there */
    gboolean circles;          /* TRUE if edges of this window that close circles were left out */
} HieraSharedWindow;

/* Build the window; all processes must call it, and each sends what it knows of every window. */
void hiera_shared_window_init(HieraSharedWindow *window, const HieraSharedNodes *nodes);
void hiera_shared_window_clear(HieraSharedWindow *window);
