/* The values that variables of probe scripts have at an event. */
#pragma once

#include "probed_trace.h"

typedef struct {
    const char *text;
    gsize length;
} HieraEventText;

/* An event, and the operation and rank at which it happens. */
typedef struct {
    const HieraProbedTrace *trace;
    const HieraProcessor *processor;
    const HieraSite *site;
    const char *name; /* full name of the operation: "Class::method" */
    guint32 row, thread, depth;
    guint32 call; /* `row`; at SUSPEND and RESUME of a region, row of the call in which the region waits */
    HieraProbeEventKind kind;
    const HieraTransfer *transfer; /* the send or receive, at SEND and RECEIVE; else NULL */
    HieraEventText path;           /* names of the open operations, ending with this one */
    HieraEventText stack;          /* names of the open operations with source lines; empty: no clause needs them */
    gint64 region, parent;         /* ids of the region and of the innermost region around; 0: none */
    GString *id;                   /* buffer for the text of a message's id */
} HieraEventFacts;

/* Return the value of a variable at an event. `facts` is a HieraEventFacts. */
HieraValue hiera_event_value(HieraProbeVariableId variable, const void *facts);
