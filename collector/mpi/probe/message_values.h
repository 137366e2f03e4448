/* Values of the events of a message. */
#pragma once

#include "call_values.h"

typedef struct HieraMessageEvent {
    HieraProbeEventKind kind;
    const HieraCallEvent *call; /* the call that sends the message, or completes its receive */
    uint32_t comm;              /* number of the communicator; 0: not known */
    int32_t peer;               /* rank of the other side in the communicator */
    int32_t tag;
    int64_t bytes;   /* bytes of the message; -1: not known */
    uint64_t number; /* number of the message on its channel; 0: not known */
} HieraMessageEvent;

/* Function `get` of a HieraProbeEvent; the data is a HieraMessageEvent. */
HieraValue hiera_message_value(HieraProbeVariableId variable, const void *event);
