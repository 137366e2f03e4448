/* Finds the message that each probe found. The trace names the message only for matched probes. */
#pragma once

#include "match_endpoints.h"

typedef struct HieraProbes HieraProbes;

/* Return the probes of a trace; NULL: none has found a message. */
HieraProbes *hiera_probes_new(const HieraTrace *trace);
void hiera_probes_free(HieraProbes *probes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraProbes, hiera_probes_free)
/* Add a message.
 * @param posted   HieraEndpoint.posted of the receive
 * @param message  index of the message */
void hiera_probes_add(HieraProbes *probes, const HieraChannelKey *channel, guint32 posted, guint32 message);
/* Find the message of each probe. Call it after all messages are added. */
void hiera_probes_find(HieraProbes *probes, HieraMatch *match);
