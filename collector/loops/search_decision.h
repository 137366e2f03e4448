/* What a search times: a function, and its loops down to a depth. With HIERA_SEARCH=common the first rank decides it
 * for all, and the others look at what it has decided (probing/shared_globals.h): nobody waits, and MPI is not called.
 */
#ifndef HIERA_SEARCH_DECISION_H
#define HIERA_SEARCH_DECISION_H

#include <stdbool.h>
#include <stdint.h>

enum { HIERA_DECISION_PATH = 3584 };

typedef struct HieraSearchDecision {
    unsigned number;                /* counts decisions */
    unsigned depth;                 /* of the innermost loops; 0: nothing is timed */
    uintptr_t offset;               /* an address in the function, in the file */
    char path[HIERA_DECISION_PATH]; /* of the file */
} HieraSearchDecision;

/* Are both about one function? */
bool hiera_search_decision_is_same(const HieraSearchDecision *one, const HieraSearchDecision *other);

/* Tell it the other ranks. */
void hiera_search_decision_tell(const HieraSearchDecision *decision);

/* What the first rank has told last. @return  false: nothing, or it is not known */
bool hiera_search_decision_hear(HieraSearchDecision *decision);

#endif
