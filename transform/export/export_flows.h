/* Messages as arrows: viewers draw them from a send to the call that completes its receive. */
#pragma once

#include "hiera_measure.h"

/* Messages that leave or reach an operation. */
typedef struct {
    guint32 row;
    guint32 message; /* index in hiera_match_peek_messages */
    guint32 number;  /* number of the message in the whole job, from 0, ordered by the operations that send and receive
                      * it: the  same in all processes */
} HieraExportFlow;
typedef struct {
    GArray *leaving, *arriving; /* HieraExportFlow, by row, then by number */
} HieraFlows;
/* @param scope  if there are several processes, all call this: each gets the flows of its own processors */
void hiera_flows_init(HieraFlows *flows, const HieraMatch *match, const HieraScope *scope);
void hiera_flows_clear(HieraFlows *flows);
/* Find the flows of a row in one of the arrays. O(log messages). @return the index of the first flow of that row or a
 * later one */
guint hiera_flows_find(const GArray *flows, guint32 row);

/* Row of the call that a viewer shows as the end of a message: the call that completed the receive if it is known. */
guint32 hiera_export_arrival(const HieraMessage *message);
