/* Which calls a probe script asks about, and what is known of their functions. */
#ifndef HIERA_TOLD_H
#define HIERA_TOLD_H

#include "mpi/call/call_kind.h"
#include "mpi/call/peer_arguments.h"
#include "probing/main_script.h"

typedef struct HieraToldFunction {
    HieraClauseSet begins, ends; /* about the begin and the end of the call */
    HieraClauseSet messages;     /* about what it sends and receives */
    HieraCallKind kind, starts;  /* starts: what a start of its persistent request does */
    bool is_partitioned;
    bool suspends; /* the regions around it, while it waits, and somebody asks for that */
    HieraPeerArguments places;
    uint16_t rtag, message; /* further arguments */
} HieraToldFunction;

/* Mark the functions that are observed, after scripts have come or gone. */
void hiera_told_load(void);

/* By number of the function. */
const HieraToldFunction *hiera_told_function(unsigned call);

#endif
