/** Bytes that calls hand to MPI to send them or to write them into a file. For most calls this is the attribute
 * `bytes`. For a receive, probe, test, get or read the attribute has the bytes received: added to those of the senders,
 * each message would count twice. For a call that makes a persistent request it has the bytes that each start will
 * send. */
#pragma once

#include "hiera_graph.h"
#include "hiera_summed.h"

/** Bytes that each start of a processor's persistent requests sends; NULL: it has no such request. */
typedef GHashTable HieraSentBytes;

/** Forget the requests of a processor, before the calls of the next one. */
void hiera_sent_bytes_clear(HieraSentBytes **sent);

/** Return the bytes that a call hands over. Call it for all calls of a processor, in document order.
 *
 * @param sent   NULL before the first call of a processor
 * @param bytes  attribute of the call, -1 if it has none */
gint64 hiera_sent_bytes_of(HieraSentBytes **sent, const HieraSite *site, const HieraRequest *requests, guint n,
                           gint64 bytes);
gint64 hiera_sent_bytes_of_row(HieraSentBytes **sent, const HieraTrace *trace, guint32 row);
/** Return the bytes that the calls of a summed operation hand to MPI. */
gint64 hiera_sent_bytes_of_summed(const HieraSummed *summed);
