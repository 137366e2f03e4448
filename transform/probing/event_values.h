/* The values of an event that scripts can use. */
#pragma once

#include "probed_trace.h"

typedef struct {
    const char *text;
    gsize length;
} HieraEventText;

/* An event, and its place in the run. */
typedef struct {
    const HieraProbedTrace *trace;
    const HieraProcessor *processor;
    const HieraSite *site;
    const char *name; /* full name of the operation */
    guint32 row, thread, depth;
    guint32 call; /* SUSPEND and RESUME: the call in which the region waits; otherwise `row` */
    HieraProbeEventKind kind;
    const HieraTransfer *transfer; /* SEND and RECEIVE: the transfer */
    HieraEventText path;           /* names of the open operations, with this one last */
    HieraEventText stack;          /* the same with source lines; empty: no clause needs it */
    gint64 region, parent;         /* ids; 0: not a region, or no parent */
    GString *id;                   /* buffer for the id of a message */
} HieraEventFacts;

/* Return the value of a variable. `facts` is a HieraEventFacts. */
HieraValue hiera_event_value(HieraProbeVariableId variable, const void *facts);
