/* Finds operations that cannot concern operations which have not ended; see left_over.h. Two processes that know the
 * same message or collective decide alike. */
#pragma once

#include "hiera_measure.h"

typedef struct HieraSettled HieraSettled;

HieraSettled *hiera_settled_find(const HieraMatch *match, const HieraScope *scope);
void hiera_settled_free(HieraSettled *settled);
/* Whether an operation of this process's ranks is kept, because it may concern operations that have not ended. */
gboolean hiera_settled_keeps(const HieraSettled *settled, guint32 row);
/* Whether all partners of an operation may have been left out, if it is kept itself. */
gboolean hiera_settled_is_alone(const HieraSettled *settled, guint32 row);
