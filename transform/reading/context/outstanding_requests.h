/* Requests that are not completed yet, and the operations that made them: a finding can then name the operations for
 * which a call without an end was waiting. Memory is bounded: if too many requests are never completed, the oldest
 * and the newest are kept. */
#pragma once

#include "hiera_trace.h"

typedef struct HieraOutstandingRequests HieraOutstandingRequests;

/* An operation that made a request, with what a finding says about it. */
typedef struct {
    gint64 number; /* number of the request; 0: empty slot */
    const HieraSite *site;
    guint32 comm;
    gint32 peer, source, tag;
} HieraMaker;

HieraOutstandingRequests *hiera_outstanding_new(void);
void hiera_outstanding_free(HieraOutstandingRequests *outstanding);
/* Update the requests with an operation, which makes, completes or frees them. Operations without a finish time are
 * ignored. */
void hiera_outstanding_see(HieraOutstandingRequests *outstanding, const HieraOperation *operation);
/* Return the operation that made a request; NULL if it is unknown. Valid until the next hiera_outstanding_see(). */
const HieraMaker *hiera_outstanding_find(const HieraOutstandingRequests *outstanding, gint64 number);
