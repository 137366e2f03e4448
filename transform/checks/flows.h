/* What is sent and received on each communicator: of a run as a whole, or part after part. */
#ifndef HIERA_FLOWS_H
#define HIERA_FLOWS_H

#include "checks.h"
#include "trace/catalog.h"

/* Of a communicator. */
typedef struct {
    gint64 sent, received, excused, bytes_sent, bytes_received, collectives;
} HieraFlow;

/* Add what the own processors of a scope did. @param flows  HieraFlow, by communicator; new ones are to be zeros */
void hiera_flows_add(GArray *flows, const HieraMatch *match, const HieraScope *scope);
HieraTable *hiera_flows_make_table(const GArray *flows, const HieraCatalog *catalog);

#endif
