/* Requests that nothing has completed yet: which operation made each, so that a call that never ended can be said to
 * wait for it. Memory is bounded, whatever the trace: of very many that are never completed the oldest are kept. */
#ifndef HIERA_OUTSTANDING_REQUESTS_H
#define HIERA_OUTSTANDING_REQUESTS_H

#include "hiera_trace.h"

typedef struct HieraOutstandingRequests HieraOutstandingRequests;

/* An operation that made a request. */
typedef struct {
    gint64 number; /* 0: none */
    const HieraSite *site;
    guint32 comm;
    gint32 peer, source, tag;
} HieraMaker;

HieraOutstandingRequests *hiera_outstanding_new(void);
void hiera_outstanding_free(HieraOutstandingRequests *outstanding);
/* An operation was read, which has requests: it makes, completes or frees them. */
void hiera_outstanding_see(HieraOutstandingRequests *outstanding, const HieraOperation *operation);
/* Who made a request; NULL: not known. Valid until the next operation. */
const HieraMaker *hiera_outstanding_find(const HieraOutstandingRequests *outstanding, gint64 number);

#endif
