/* Numbers of what several processes export together: processor after processor, so that they are those of one process.
 */
#ifndef HIERA_EXPORT_NUMBERS_H
#define HIERA_EXPORT_NUMBERS_H

#include "hiera_measure.h"

/* The number of the first thing that each processor has. All processes call this.
 *
 * @param here  by processor of the trace, how many things this process knows of those of its own; 0 of others
 * @return by processor; to be freed with g_free */
guint32 *hiera_export_number(const HieraScope *scope, const HieraTrace *trace, const guint32 *here);

#endif
