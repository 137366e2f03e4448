/* Messages as arrows, which viewers draw from the send to the call that completes the receive. */
#pragma once

#include "hiera_measure.h"

/* One end of an arrow: a message that an operation sends, or receives. */
typedef struct {
    guint32 row;
    guint32 message; /* index in hiera_match_peek_messages */
    guint32 number;  /* number of the message in the whole job, from 0, ordered by the operations that send and receive
                      * it: the  same in all processes */
} HieraExportFlow;
typedef struct {
    GArray *leaving, *arriving; /* HieraExportFlow, sorted by row, then by number: begins, and ends, of arrows */
} HieraFlows;
/* Find the arrows of this process's processors. @param scope  of several processes; all of them call this */
void hiera_flows_init(HieraFlows *flows, const HieraMatch *match, const HieraScope *scope);
void hiera_flows_clear(HieraFlows *flows);
/* Find the flows of a row in one of the arrays. O(log messages). @return the index of the first flow of that row or a
 * later one */
guint hiera_flows_find(const GArray *flows, guint32 row);

/* Row at which a viewer ends the arrow of a message: the call that completed the receive, else the receive. */
guint32 hiera_export_arrival(const HieraMessage *message);
