/* What an MPI function does: its kind, a row of dtd/kinds.h, as functions.table says. */
#pragma once

#include "call_record.h"
#include "dtd/kinds.h"

typedef enum HieraCallKind {
#define X(identifier, name, collective) HIERA_DOES_##identifier,
    HIERA_KINDS(X)
#undef X
} HieraCallKind;

/* Get the kind of a function, and the kind of each start of the persistent request that it makes (LOCAL: it makes
 * none). */
void hiera_call_kinds(const HieraMpiCall *call, HieraCallKind *kind, HieraCallKind *starts);

/* Whether all members of the communicator, window or file take part in a call of this kind. */
bool hiera_call_kind_is_collective(HieraCallKind kind);
