/* Which operations can have nothing to do with what has not ended; see left_over.h. What two processes know of the same
 * message or collective, they decide alike. */
#ifndef HIERA_SETTLED_H
#define HIERA_SETTLED_H

#include "hiera_measure.h"

typedef struct HieraSettled HieraSettled;

HieraSettled *hiera_settled_find(const HieraMatch *match, const HieraScope *scope);
void hiera_settled_free(HieraSettled *settled);
/* Whether an operation of an own rank is left. */
gboolean hiera_settled_keeps(const HieraSettled *settled, guint32 row);
/* Whether it is left though it is settled: its partners may be left out. */
gboolean hiera_settled_is_alone(const HieraSettled *settled, guint32 row);

#endif
