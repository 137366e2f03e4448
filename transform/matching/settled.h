/* Finds operations that cannot concern operations which have not ended; see left_over.h. Two processes that know the
 * same message or collective decide alike. */
#pragma once

#include "hiera_measure.h"

typedef struct HieraSettled HieraSettled;

HieraSettled *hiera_settled_find(const HieraMatch *match, const HieraScope *scope);
void hiera_settled_free(HieraSettled *settled);
/* Whether an operation of this process's ranks is kept. */
gboolean hiera_settled_keeps(const HieraSettled *settled, guint32 row);
/* Whether an operation is kept though it is settled: its partners may be left out. */
gboolean hiera_settled_is_alone(const HieraSettled *settled, guint32 row);
