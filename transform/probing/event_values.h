/* What scripts can ask of an event. */
#ifndef HIERA_EVENT_VALUES_H
#define HIERA_EVENT_VALUES_H

#include "probed_trace.h"

typedef struct {
    const char *text;
    gsize length;
} HieraEventText;

/* An event, and where it happens. */
typedef struct {
    const HieraProbedTrace *trace;
    const HieraProcessor *processor;
    const HieraSite *site;
    const char *name; /* of the operation, in full */
    guint32 row, thread, depth;
    guint32 call; /* of SUSPEND and RESUME: that in which the region waits; else `row` */
    HieraProbeEventKind kind;
    const HieraTransfer *transfer; /* of SEND and RECEIVE */
    HieraEventText path;           /* names of the open operations, this one the last */
    HieraEventText stack;          /* the same with their places in the source; empty: nobody asks */
    gint64 region, parent;         /* ids; 0: it is none, or has none */
    GString *id;                   /* room for the id of a message */
} HieraEventFacts;

/* `facts` is a HieraEventFacts. */
HieraValue hiera_event_value(HieraProbeVariableId variable, const void *facts);

#endif
