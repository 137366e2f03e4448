/* Messages and bytes sent and received on each communicator. A run is added as a whole, or part after part. */
#pragma once

#include "checks.h"
#include "trace/catalog.h"

/* Messages, bytes and collectives of one communicator. */
typedef struct {
    gint64 sent, received, excused, bytes_sent, bytes_received, collectives;
} HieraCommTraffic;

/* Add the traffic of a scope's own processors. @param flows  HieraCommTraffic, by communicator; grows with zeros */
void hiera_comm_traffic_add(GArray *flows, const HieraMatch *match, const HieraScope *scope);
HieraTable *hiera_comm_traffic_make_table(const GArray *flows, const HieraCatalog *catalog);
