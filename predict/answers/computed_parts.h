/* Divides computation into parts by call path: one for each of the paths with most time, and one for all others. */
#pragma once

#include "hiera_measure.h"
#include "machine/speeds.h"
#include "run/recorded_run.h"

/* Greatest number of parts. */
enum { COMPUTED_PARTS = 24 };

typedef struct ComputedParts ComputedParts;

ComputedParts *computed_parts_new(const RecordedRun *run);
void computed_parts_free(ComputedParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ComputedParts, computed_parts_free)
/* Return the parts for a simulation. Valid as long as `parts`. */
const SpeedParts *computed_parts_peek(const ComputedParts *parts);
/* Return the path of a part, as the text of a cell. @param table  owns the text */
const char *computed_parts_text(const ComputedParts *parts, guint part, HieraTable *table);
