/* Values of variables in a probe script when a message is sent or received. */
#pragma once

#include "call_values.h"

typedef struct HieraMessageEvent {
    HieraProbeEventKind kind;
    const HieraCallEvent *call; /* the call that sends the message, or completes the receive of it */
    uint32_t comm;              /* number of the communicator; 0: not known */
    int32_t peer;               /* rank in the communicator of the other end (sender or receiver) */
    int32_t tag;
    int64_t bytes;   /* bytes of the message; -1: not known */
    uint64_t number; /* how many-th message on its channel (communicator, ranks, tag) it is, from 1; 0: not known */
} HieraMessageEvent;

/* Return the value of a variable for a message; `event` is a HieraMessageEvent. For HieraProbeEvent.get. */
HieraValue hiera_message_value(HieraProbeVariableId variable, const void *event);
