/* Writes MPI calls in the compact encoding. */
#pragma once

#include "request_deltas.h"
#include "write/trace_file.h"

/* Write a complete call. Returns the declaration that it refers to; NULL if it was not written and needs the full
 * encoding. *known becomes the degree of equality of call and declaration. */
const HieraDeclared *hiera_compact_put(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call,
                                       HieraDistances *distances, HieraDictionaryMatch *known);

/* Write a call whose values are known to equal those of the declaration. */
void hiera_compact_put_same(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call,
                            const HieraDeclared *declared);
