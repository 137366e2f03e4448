/* The decision of a search: a function, and the depth to which its loops are timed. With HIERA_SEARCH=common the first
 * rank decides for all, and the others read its decision (probing/shared_globals.h): no rank waits, and MPI is not
 * called. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { HIERA_DECISION_PATH = 3584 };

typedef struct HieraSearchDecision {
    unsigned number;                /* number of this decision */
    unsigned depth;                 /* depth of the innermost loops that are timed; 0: nothing is timed */
    uintptr_t offset;               /* an address in the function, as offset in the file */
    char path[HIERA_DECISION_PATH]; /* path of the file */
} HieraSearchDecision;

/* Whether both decisions are about the same function. */
bool hiera_search_decision_is_same(const HieraSearchDecision *one, const HieraSearchDecision *other);

/* Publish a decision for the other ranks. */
void hiera_search_decision_tell(const HieraSearchDecision *decision);

/* Read the last decision of the first rank. @return  false if there is none, or it cannot be read */
bool hiera_search_decision_hear(HieraSearchDecision *decision);
