/* On which host each rank ran. */
#ifndef HIERA_PREDICT_HOSTS_H
#define HIERA_PREDICT_HOSTS_H

#include "hiera_trace.h"

/* Number the hosts in the order of their first rank. Ranks whose trace names none are on one host.
 * @param n  becomes how many there are
 * @return  by rank, to be freed with g_free */
guint32 *hosts_number(const HieraTrace *trace, guint32 *n);

#endif
