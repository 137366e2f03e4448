/* Computation in parts, by call path: those with most time one by one, and all others together. */
#ifndef HIERA_PREDICT_COMPUTED_PARTS_H
#define HIERA_PREDICT_COMPUTED_PARTS_H

#include "hiera_measure.h"
#include "machine/speeds.h"
#include "run/recorded_run.h"

/* The most parts. */
enum { COMPUTED_PARTS = 24 };

typedef struct ComputedParts ComputedParts;

ComputedParts *computed_parts_new(const RecordedRun *run);
void computed_parts_free(ComputedParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ComputedParts, computed_parts_free)
/* Valid as long as the parts. */
const SpeedParts *computed_parts_peek(const ComputedParts *parts);
/* Return the path of a part, as the text of a cell. @param table  keeps it */
const char *computed_parts_text(const ComputedParts *parts, guint part, HieraTable *table);

#endif
