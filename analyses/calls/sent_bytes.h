/** What MPI calls give to MPI: to send it, or to write it into a file. The attribute `bytes` says it of most calls. Of
 * a receive, a probe, a test, a get and a read it says what they got: added to what others gave, each message would
 * count twice. Of a call that makes a persistent request it says what each start will send. */
#pragma once

#include "hiera_graph.h"
#include "hiera_summed.h"

/** Bytes that persistent requests of one processor send when they are started. NULL if there are none. */
typedef GHashTable HieraSentBytes;

/** Free it before the next processor. */
void hiera_sent_bytes_clear(HieraSentBytes **sent);

/** Return the bytes that a call hands over. Call it for all calls of a processor, in document order.
 *
 * @param sent   NULL before the first call of a processor
 * @param bytes  attribute of the call, -1 if it has none */
gint64 hiera_sent_bytes_of(HieraSentBytes **sent, const HieraSite *site, const HieraRequest *requests, guint n,
                           gint64 bytes);
gint64 hiera_sent_bytes_of_row(HieraSentBytes **sent, const HieraTrace *trace, guint32 row);
/** Return the bytes that all calls of a sum hand over. */
gint64 hiera_sent_bytes_of_summed(const HieraSummed *summed);
