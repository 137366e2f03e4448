/* Reads declarations of counters, and their values for regions. */
#pragma once

#include "reading/context/read_context.h"

/* Read a `hieraCounter`: a counter that regions have values of. */
void hiera_counters_declare(HieraReadContext *context, const HieraAttributes *attributes);

/* Called with each value; `index` and `depth` of the operation are not set. */
typedef void (*HieraCountedVisit)(gpointer user, HieraCounted *counted);

/* Read a `hieraCounted`: values of counters for the operation whose element is around it. */
void hiera_counters_read_values(HieraReadContext *context, const HieraAttributes *attributes, HieraCountedVisit visit,
                                gpointer user);
