/** What MPI calls give to MPI: to send it, or to write it into a file. The attribute `bytes` says it of most calls. Of
 * a receive, a probe, a test, a get and a read it says what they got: added to what others gave, each message would
 * count twice. Of a call that makes a persistent request it says what each start will send. */
#pragma once

#include "hiera_graph.h"
#include "hiera_summed.h"

/** What persistent requests of one processor send when they are started. NULL: there are none. */
typedef GHashTable HieraSentBytes;

/** Free it, for the next processor. */
void hiera_sent_bytes_clear(HieraSentBytes **sent);

/** Return what a call gives. To be asked for all calls of a processor, in the order of the document.
 *
 * @param sent   NULL before the first call of a processor
 * @param bytes  its attribute, -1 where the trace does not say */
gint64 hiera_sent_bytes_of(HieraSentBytes **sent, const HieraSite *site, const HieraRequest *requests, guint n,
                           gint64 bytes);
gint64 hiera_sent_bytes_of_row(HieraSentBytes **sent, const HieraTrace *trace, guint32 row);
/** What all calls of a sum give. */
gint64 hiera_sent_bytes_of_summed(const HieraSummed *summed);
