/* Finds the arguments of a function that are the peer, the source and the communicator, by the names of their
 * attributes, as hiera-transform does in traces. */
#pragma once

#include "call_record.h"

#include <string.h>

enum { HIERA_NO_ARGUMENT = UINT16_MAX };

/* For each role, the index of a function's argument that has it; HIERA_NO_ARGUMENT: the function has none. */
typedef struct HieraPeerArguments {
    uint16_t peer, source, comm, tag, object; /* object: the window or file that a call without communicator uses */
} HieraPeerArguments;

HieraPeerArguments hiera_peer_arguments(const HieraMpiCall *call);

/* Return the index of the argument with this name; HIERA_NO_ARGUMENT: none in the record's fixed part. */
uint16_t hiera_peer_argument(const HieraMpiCall *call, const char *name);

/* Whether the argument with this index is present in the record. */
static inline bool hiera_peer_has(const HieraMpiRecord *record, uint16_t argument)
{
    return argument != HIERA_NO_ARGUMENT && !(record->flags & (1u << argument));
}

static inline uint32_t hiera_peer_value(const HieraMpiRecord *record, const HieraMpiCall *call, uint16_t argument)
{
    uint32_t value;
    memcpy(&value, (const char *)record + call->arguments[argument].offset, sizeof value);
    return value;
}
