/* Values of the events of a call, from its record. */
#pragma once

#include "mpi/call/peer_arguments.h"
#include "probing/probed.h"

typedef struct HieraCallEvent {
    HieraProbedPlace place;
    const HieraMpiRecord *record;
    const HieraMpiCall *call;
    const HieraPeerArguments *places;
    HieraProbeEventKind kind;
} HieraCallEvent;

/* Function `get` of a HieraProbeEvent; the data is a HieraCallEvent. */
HieraValue hiera_call_value(HieraProbeVariableId variable, const void *event);

/* Return start, finish or duration of a call. */
HieraValue hiera_call_time(HieraProbeVariableId variable, const HieraCallEvent *event);
