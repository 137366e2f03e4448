/* Finds the arguments of a function that are the peer, the source and the communicator, by the names of their
 * attributes, as hiera-transform does in traces. */
#pragma once

#include "call_record.h"

#include <string.h>

enum { HIERA_NO_ARGUMENT = UINT16_MAX };

/* Indices of arguments, or HIERA_NO_ARGUMENT. */
typedef struct HieraPeerArguments {
    uint16_t peer, source, comm, tag, object; /* object: a window or a file, which stands for its communicator */
} HieraPeerArguments;

HieraPeerArguments hiera_peer_arguments(const HieraMpiCall *call);

/* Return the argument of this name in the fixed part of the record. */
uint16_t hiera_peer_argument(const HieraMpiCall *call, const char *name);

/* Whether the argument is in the record. */
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
