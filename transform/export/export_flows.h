/* Messages as arrows between operations: what viewers draw from a send to the call that ends its receive. */
#ifndef HIERA_EXPORT_FLOWS_H
#define HIERA_EXPORT_FLOWS_H

#include "hiera_match.h"

/* The messages that leave and reach each operation. */
typedef struct {
    guint32 row, message; /* index in hiera_match_peek_messages */
} HieraFlow;
typedef struct {
    GArray *leaving, *arriving; /* HieraFlow, by row, then by message */
} HieraFlows;
void hiera_flows_init(HieraFlows *flows, const HieraMatch *match);
void hiera_flows_clear(HieraFlows *flows);
/* Find the flows of a row in one of the arrays. O(log messages). @return the index of the first one that is not before
 * it */
guint hiera_flows_find(const GArray *flows, guint32 row);

/* The call that a person sees as the end of a message: what completed the receive if it is known. */
guint32 hiera_export_arrival(const HieraMessage *message);

#endif
