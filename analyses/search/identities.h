/** Identities that must hold between the measures, whatever the traces contain: their numbers add up.
 *
 * 1. The exclusive times of the call paths of a rank, and its waits, add up to its run time; so do its spans of
 *    computation, MPI and files.
 * 2. The critical path is as long as the run, also when it is shared out to call paths.
 * 3. max useful ≤ T(ideal) ≤ T. All threads of OpenMP idle as long in `threads` and `over-time --by idle` as in the
 *    efficiency, and compute as long in `over-time --by idle` and `imbalance --by region`.
 * 4. The waits of a call lie within the call and do not overlap.
 * 5. The causes, direct, indirect and unexplained, add up to the waits; at no call path there are more direct ones than
 *    waits.
 *
 * That as many bytes are received as are sent is a check of its own (transform/checks/check_messages.c). */
#pragma once

#include "hiera_measure.h"

/** Called with a text about an identity that does not hold; the text is valid until the call returns. */
typedef void (*HieraIdentityVisit)(const char *broken, gpointer user);

/** Check all identities. Sums that do not fit into 64 bits are skipped. With several processes all must call it, and an
 * error is reported by one or more of them.
 *
 * @param scope  all operations, with this process's own processors */
void hiera_identities_check(const HieraMatch *match, const HieraScope *scope, HieraIdentityVisit visit, gpointer user);
