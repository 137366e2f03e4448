/* Which MPI functions a probe script observes, and what is known about each function. */
#pragma once

#include "mpi/call/call_kind.h"
#include "mpi/call/peer_arguments.h"
#include "probing/main_script.h"

typedef struct HieraToldFunction {
    HieraClauseSet begins, ends; /* the script's clauses for the begin and the end of a call */
    HieraClauseSet messages;     /* the script's clauses for the messages that a call sends and receives */
    HieraCallKind kind,
        starts; /* kind of a call; starts: kind of each start of the persistent request that a call makes */
    bool is_partitioned;
    bool suspends; /* whether the function may wait for other ranks and a clause asks when that suspends regions */
    HieraPeerArguments places;
    uint16_t rtag,
        message; /* indices of the arguments `rtag` and `message`; HIERA_NO_ARGUMENT: the function has none */
} HieraToldFunction;

/* Find again which MPI functions are observed. Called when a script has started or ended. */
void hiera_told_load(void);

/* Return what is known about an MPI function. `call`: index in hiera_mpi_calls. */
const HieraToldFunction *hiera_told_function(unsigned call);
