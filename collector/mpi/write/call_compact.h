/* Calls of MPI in compact spelling. */
#ifndef HIERA_CALL_COMPACT_H
#define HIERA_CALL_COMPACT_H

#include "request_deltas.h"
#include "write/trace_file.h"

/* Write a complete call. @return what it refers to, NULL: it was not written, it is to stand in full. @param known  how
 * far it says the same */
const HieraDeclared *hiera_compact_put(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call,
                                       HieraDistances *distances, HieraKnown *known);

/* … one that is known to say the same as what was declared. */
void hiera_compact_put_same(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call,
                            const HieraDeclared *declared);

#endif
