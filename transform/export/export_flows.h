/* Messages as arrows between operations: what viewers draw from a send to the call that ends its receive. */
#ifndef HIERA_EXPORT_FLOWS_H
#define HIERA_EXPORT_FLOWS_H

#include "hiera_measure.h"

/* The messages that leave and reach each operation. */
typedef struct {
    guint32 row;
    guint32 message; /* index in hiera_match_peek_messages */
    guint32 number;  /* of the message among all of the job, from 0, by the operations that send and receive it: the
                        same in all processes */
} HieraExportFlow;
typedef struct {
    GArray *leaving, *arriving; /* HieraExportFlow, by row, then by number */
} HieraFlows;
/* @param scope  of several processes, which all call this: each gets the flows of its own processors */
void hiera_flows_init(HieraFlows *flows, const HieraMatch *match, const HieraScope *scope);
void hiera_flows_clear(HieraFlows *flows);
/* Find the flows of a row in one of the arrays. O(log messages). @return the index of the first one that is not before
 * it */
guint hiera_flows_find(const GArray *flows, guint32 row);

/* The call that a person sees as the end of a message: what completed the receive if it is known. */
guint32 hiera_export_arrival(const HieraMessage *message);

#endif
