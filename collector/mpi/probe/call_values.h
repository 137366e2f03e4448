/* Values of variables in a probe script at the begin and the end of an MPI call, read from the call's record. */
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

/* Return the value of a variable for an MPI call; `event` is a HieraCallEvent. For HieraProbeEvent.get. */
HieraValue hiera_call_value(HieraProbeVariableId variable, const void *event);

/* Return the start, finish or duration of an MPI call, as `variable` says. */
HieraValue hiera_call_time(HieraProbeVariableId variable, const HieraCallEvent *event);
