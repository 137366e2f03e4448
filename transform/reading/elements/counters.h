/* Counters of regions: their declarations, and their values. */
#pragma once

#include "reading/context/read_context.h"

/* Read a `hieraCounter`: a counter that regions have values of. */
void hiera_counters_declare(HieraReadContext *context, const HieraAttributes *attributes);

/* Called for each value; its operation is not set. */
typedef void (*HieraCountedVisit)(gpointer user, HieraCounted *counted);

/* Read a `hieraCounted`: counter values of the operation around it. */
void hiera_counters_read_values(HieraReadContext *context, const HieraAttributes *attributes, HieraCountedVisit visit,
                                gpointer user);
