/* Reads a recorded run part by part (hiera_parts.h); each part has the partners of its operations. */
#pragma once

#include "recorded_times.h"

typedef struct RunParts RunParts;

/* Open a run for reading.
 *
 * @param arguments  as of recorded_run_load()
 * @param rows       approximate number of operations of a part
 * @param sizes      rules for message sizes, which must be local; decided in each part */
RunParts *run_parts_open(const char *const *arguments, guint64 rows, Sizes *sizes);
void run_parts_close(RunParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RunParts, run_parts_close)

/* Read the next part. @return NULL after the last one, or if the run cannot be read in parts; to be freed with
 * run_parts_free_part() */
RecordedRun *run_parts_next(RunParts *parts);
void run_parts_free_part(RecordedRun *part);
/* Stop reading the run, since one of its parts cannot be simulated alone. */
void run_parts_give_up(RunParts *parts);

/* Whether all parts of the run were read and used. */
gboolean run_parts_are_complete(const RunParts *parts);
/* Return where the recorded time went in all parts read so far. */
const RecordedTimes *run_parts_peek_times(const RunParts *parts);
/* Return the problems found in the traces; to be called after all parts were read. */
HieraFindings *run_parts_peek_findings(const RunParts *parts);
