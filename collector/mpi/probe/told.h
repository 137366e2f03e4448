/* The calls that a probe script observes, and facts about their functions. */
#pragma once

#include "mpi/call/call_kind.h"
#include "mpi/call/peer_arguments.h"
#include "probing/main_script.h"

typedef struct HieraToldFunction {
    HieraClauseSet begins, ends; /* clauses for the begin and the end of the call */
    HieraClauseSet messages;     /* clauses for the messages that it sends and receives */
    HieraCallKind kind, starts;  /* kind of the call; starts: kind of each start of its persistent request */
    bool is_partitioned;
    bool suspends; /* true if the regions around it are suspended while it waits, and a clause asks for that */
    HieraPeerArguments places;
    uint16_t rtag, message; /* indices of further arguments */
} HieraToldFunction;

/* Mark the observed functions, after scripts have started or ended. */
void hiera_told_load(void);

/* Return the facts about a function, by its number. */
const HieraToldFunction *hiera_told_function(unsigned call);
