/* The decision of a search: a function, and the depth to which its loops are timed. With HIERA_SEARCH=common the first
 * rank decides for all, and the others read its decision (probing/shared_globals.h): no rank waits, and MPI is not
 * called. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { HIERA_DECISION_PATH = 3584 };

typedef struct HieraSearchDecision {
    unsigned number;                /* number of the decision, in the order in which they are made */
    unsigned depth;                 /* loops down to this nesting depth are timed; 0: nothing is timed any more */
    uintptr_t offset;               /* an address inside the function, as an offset in the loaded file */
    char path[HIERA_DECISION_PATH]; /* path of the file that contains the function */
} HieraSearchDecision;

/* Whether both decisions name the same address of the same file. */
bool hiera_search_decision_is_same(const HieraSearchDecision *one, const HieraSearchDecision *other);

/* Publish the first rank's decision for the other ranks. */
void hiera_search_decision_publish(const HieraSearchDecision *decision);

/* Read the last decision of the first rank. @return  false if there is none, or it cannot be read */
bool hiera_search_decision_read(HieraSearchDecision *decision);
