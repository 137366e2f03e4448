/* Numbers of items that several processes export together, such as messages: processor after processor, as one process
 * would number them. */
#pragma once

#include "hiera_measure.h"

/* Return the number of the first item of each processor. All processes call this.
 *
 * @param here  by processor of the trace: how many items this process has if the processor is its own; else 0
 * @return by processor; to be freed with g_free */
guint32 *hiera_export_number(const HieraScope *scope, const HieraTrace *trace, const guint32 *here);
