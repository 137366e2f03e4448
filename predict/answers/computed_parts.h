/* Divides the run's computation into parts by call path: one for each of the paths with most time, one for all others.
 */
#pragma once

#include "hiera_measure.h"
#include "machine/speeds.h"
#include "run/recorded_run.h"

/* Greatest number of parts; the last one may stand for all call paths without a part of their own. */
enum { COMPUTED_PARTS = 24 };

typedef struct ComputedParts ComputedParts;

ComputedParts *computed_parts_new(const RecordedRun *run);
void computed_parts_free(ComputedParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ComputedParts, computed_parts_free)
/* Return the parts as speeds_set_parts() takes them. Valid as long as `parts`. */
const SpeedParts *computed_parts_peek(const ComputedParts *parts);
/* Return the call path of a part, to be shown in a cell of a table. @param table  will own the text */
const char *computed_parts_text(const ComputedParts *parts, guint part, HieraTable *table);
