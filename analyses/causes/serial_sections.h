/** Serial sections: when exactly one rank computes, and all others are in MPI or do not run. */
#ifndef HIERA_SERIAL_SECTIONS_H
#define HIERA_SERIAL_SECTIONS_H

#include "delays.h"

/** Called with a part of a serial section, in order of time. @param node  where the rank computes */
typedef void (*HieraSerialVisit)(guint32 processor, guint32 node, gint64 begin_ns, gint64 end_ns, gpointer user);

/** Visit all of them; of one rank nothing is serial. O(segments · log ranks). @param delays  of `paths` */
void hiera_serial_sections_visit(const HieraDelays *delays, const HieraCallPaths *paths, HieraSerialVisit visit,
                                 gpointer user);

/** Whether what a rank does in a node is computation: not in a call of MPI. */
gboolean hiera_node_computes(const HieraCallPaths *paths, guint32 node);

#endif
