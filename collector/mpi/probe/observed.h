/* Which MPI functions a probe script observes, and what is known about each function. */
#pragma once

#include "mpi/call/call_kind.h"
#include "mpi/call/peer_arguments.h"
#include "probing/main_script.h"

typedef struct HieraObservedFunction {
    HieraClauseSet begins, ends; /* the script's clauses for the begin and the end of a call */
    HieraClauseSet messages;     /* the script's clauses for the messages that a call sends and receives */
    HieraCallKind kind,
        starts; /* kind of a call; starts: kind of each start of the persistent request that a call makes */
    bool is_partitioned;
    bool suspends; /* whether the function may wait for other ranks and a clause asks when that suspends regions */
    HieraPeerArguments places;
    uint16_t rtag,
        message; /* indices of the arguments `rtag` and `message`; HIERA_NO_ARGUMENT: the function has none */
} HieraObservedFunction;

/* Find again which MPI functions are observed. Called when a script has started or ended. */
void hiera_observed_load(void);

/* Return what is known about an MPI function. `call`: index in hiera_mpi_calls. */
const HieraObservedFunction *hiera_observed_function(unsigned call);
